import { lastAdmin, namedAccount, userAt } from "../../accounts/account-lookup.ts";
import type { Registry } from "../../accounts/registry.ts";
import type { Caller } from "../../domain/caller.ts";
import type { AccountId } from "../../domain/ids.ts";
import { IMPORT, type Job, purgeJob } from "../../domain/job.ts";
import { pruneSnapshotsJob } from "../../domain/prune-jobs.ts";
import type { Path } from "../../domain/uri.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Draft } from "../../storage/draft.ts";
import { alone } from "../../workspace/relations/relations.ts";
import { dropRelations, removeSpaces, userRecordKeys } from "../../workspace/removal/erase.ts";
import { dropFirstAnswers } from "../../workspace/requests/first-answers.ts";
import { unreserve } from "../../workspace/requests/reservations.ts";
import type { Uploads } from "../../workspace/requests/uploads.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { ACCOUNT_RULES } from "./account-rules.ts";

/**
 * DELETE admin/accounts/{account_id}/users/{user_id}: removes a user; keys and spaces are gone in one step,
 * and a job purges the content. Afterwards the workspace rejects all changes for this user, including running
 * ones.
 */
export async function removeUser(
  deps: { registry: Registry; tenants: Tenants; queue: JobQueue; uploads: Pick<Uploads, "removeOf"> },
  call: ServiceCall,
  input: { readonly accountId: string; readonly userId: string },
) {
  ACCOUNT_RULES.removeUser(call.caller, input.accountId);
  const { userId } = input;
  const account = namedAccount(input.accountId);
  const workspace = await deps.tenants.ofAccount(account);
  if (workspace) {
    // check before anything is deleted: a user who cannot be removed must not lose data
    const { record, found } = userAt(workspace.kv, account, userId, call.caller);
    if (found.role === "admin" && record.admins === 1) throw lastAdmin(userId);
    await dropFirstAnswers(workspace, userId);
    await alone(workspace, () => dropRelations(workspace, userId));
  }
  const removed = workspace
    ? await alone(workspace, () =>
        workspace.exclusively(() => removeFrom(deps, workspace, call.caller, { account, userId })),
      )
    : await deps.registry.removeUser(account, userId, undefined, call.caller);
  await deps.uploads.removeOf(removed.incarnation, {
    user: userId,
    userIncarnation: removed.userIncarnation,
  });
  await deps.queue.letters.dropOf(removed.incarnation, {
    user: userId,
    incarnation: removed.userIncarnation,
  });
  return { deleted: true };
}

/** Releases the root reserved by an import. */
function giveUp(draft: WorkspaceDraft, { uris }: Workspace, { kind, payload }: Job): void {
  if (kind === IMPORT) unreserve(draft, uris.format((payload as { readonly root: Path }).root));
}

/** Runs exclusively: no record may be written for the user between the reading of the keys and the commit. */
async function removeFrom(
  { registry, queue }: { readonly registry: Registry; readonly queue: JobQueue },
  workspace: Workspace,
  by: Caller,
  { account, userId }: { readonly account: AccountId; readonly userId: string },
) {
  const recordKeys = await userRecordKeys(workspace, userId);
  const along = (draft: Draft) =>
    workspace.within(draft, (inner) => {
      for (const job of queue.cancelOf(inner, workspace.incarnation, userId)) giveUp(inner, workspace, job);
      workspace.sharing.dropUser(inner, userId);
      if (workspace.snapshots.dropUser(inner, userId))
        queue.enqueue(inner, pruneSnapshotsJob(workspace.incarnation, 0));
      const purge = removeSpaces(inner, userId, recordKeys);
      if (purge) queue.enqueue(inner, purgeJob(workspace.incarnation, purge));
    });
  return registry.removeUser(account, userId, along, by);
}
