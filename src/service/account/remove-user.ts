import type { Registry } from "../../accounts/registry.ts";
import { purgeJob } from "../../domain/job.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { removeSpaces, userRecordKeys } from "../../workspace/erase.ts";
import { alone } from "../../workspace/relations.ts";
import type { Uploads } from "../../workspace/uploads.ts";
import type { ServiceCall } from "../call.ts";
import type { Tenants } from "../tenants.ts";
import { ACCOUNT_RULES } from "./rules.ts";

/** DELETE admin/accounts/{account_id}/users/{user_id}: key and spaces are gone in one step; what they held is purged by a job. */
export async function removeUser(
  deps: { registry: Registry; tenants: Tenants; queue: JobQueue; uploads: Pick<Uploads, "removeOf"> },
  call: ServiceCall,
  input: { readonly accountId: string; readonly userId: string },
) {
  ACCOUNT_RULES.removeUser(call.caller, input.accountId);
  const { accountId, userId } = input;
  const workspace = await deps.tenants.ofAccount(accountId);
  const remove = async () => {
    const recordKeys = workspace ? await userRecordKeys(workspace, userId) : [];
    return deps.registry.removeUser(accountId, userId, (draft) => {
      workspace?.within(draft, (inner) => {
        const purge = removeSpaces(inner, userId, recordKeys);
        if (purge) deps.queue.enqueue(inner, purgeJob(workspace.incarnation, purge));
      });
    });
  };
  const { incarnation } = await (workspace ? alone(workspace, remove) : remove());
  await deps.uploads.removeOf(incarnation, userId);
  return { deleted: true };
}
