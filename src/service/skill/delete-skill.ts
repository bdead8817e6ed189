import { notFound } from "../../domain/errors.ts";
import { checkRemovable } from "../../domain/scope.ts";
import { skillPath } from "../../domain/skill.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { locate } from "../../workspace/tree/locate.ts";
import { removeLocated } from "../remove-located.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { mustFindSkill } from "./skills.ts";

/** DELETE skills/{name}: removes a skill with its files, in one step. */
export async function deleteSkill(
  deps: { tenants: Tenants; queue: JobQueue },
  call: ServiceCall,
  input: { readonly name: string },
): Promise<{ name: string; uri: string; deleted: number; trashId?: string }> {
  const { workspace, owner } = await deps.tenants.openOrCreate(call.caller);
  const { summary } = await mustFindSkill(workspace, owner, input.name);
  const { name, uri } = summary;
  checkRemovable(owner, skillPath(name), uri, "name");
  return workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    const located = locate(draft, workspace.keys, owner, skillPath(name));
    if (located?.kind !== "directory") throw notFound("skill", name);
    const removed = removeLocated(draft, deps.queue, workspace, located, { owner });
    return () => ({ name, uri, ...removed() });
  });
}
