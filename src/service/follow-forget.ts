import { jobOwner } from "../domain/job.ts";
import type { NodeId } from "../domain/node.ts";
import { beginForget, carryOut, countsOf, type ForgetDeps } from "../memory/forget/carry-out.ts";
import type { ForgetPlan } from "../memory/forget/plan.ts";
import { getTask, putTask } from "../workspace/requests/tasks.ts";
import type { ServiceCall } from "./call.ts";
import type { TaskFollower } from "./task-follower.ts";
import type { Tenant, Tenants } from "./tenants.ts";

const NEVER = new AbortController().signal;

export interface ForgetOperationDeps extends ForgetDeps {
  readonly tenants: Tenants;
  readonly follower: TaskFollower;
  readonly ids: () => string;
}

/**
 * Executes a plan as a new task, whose id is added to the response. With `remove`, also removes the whole
 * `session`.
 */
export async function forgetFollowed<A extends object>(
  deps: ForgetOperationDeps,
  call: ServiceCall,
  tenant: Tenant,
  {
    plan,
    answer: receipt,
    removed,
  }: {
    readonly plan: ForgetPlan;
    readonly answer: A;
    readonly removed?: { readonly session: NodeId; readonly remove: () => Promise<unknown> };
  },
): Promise<A & { taskId: string }> {
  const { workspace, owner } = tenant;
  const task = deps.ids();
  const order = {
    task,
    jobOwner: jobOwner(call.caller),
    origins: [task],
    ...(removed && { session: removed.session }),
  };
  const answer = { ...receipt, taskId: task };
  deps.follower.watch(task);
  try {
    await beginForget(deps, tenant, plan, order);
    deps.follower.follow(workspace, { id: task, user: owner.user });
    // work that has started is completed, even if the caller no longer waits
    await carryOut(deps, tenant, plan, order, NEVER);
    await removed?.remove();
    await workspace.commit((draft) => {
      draft.isBeyondQuota = true;
      const started = getTask(draft, draft.keys, owner.user, task);
      if (started)
        putTask(draft, {
          ...started,
          stage: "clearing",
          result: { ...countsOf(plan) },
          updated: workspace.clock(),
        });
      call.keepAnswer?.(draft, answer);
      return () => undefined;
    });
    return answer;
  } finally {
    deps.follower.abandonUnfollowed(task);
  }
}
