import { jobOwner } from "../domain/job.ts";
import { carryOut, type ForgetDeps } from "../memory/forget/carry-out.ts";
import type { ForgetPlan } from "../memory/forget/plan.ts";
import { type ForgetOrder, storePlan } from "../memory/forget/store-plan.ts";
import type { ServiceCall } from "./service-call.ts";
import type { TaskFollower } from "./task-follower.ts";
import type { Tenant, Tenants } from "./tenants.ts";

/** Work that has started is completed, even if the caller no longer waits. */
const NEVER_ABORTED = new AbortController().signal;

export interface ForgetOperationDeps extends ForgetDeps {
  readonly tenants: Tenants;
  readonly follower: TaskFollower;
  readonly ids: () => string;
}

/**
 * Carries out an interrupted plan of the caller. Returns the plan's stored answer if the plan was made by the
 * same request (`asked`).
 */
export async function resumeForget<A extends object>(
  deps: ForgetOperationDeps,
  call: ServiceCall,
  tenant: Tenant,
  asked: string,
): Promise<A | undefined> {
  const plan = await carryOut(deps, tenant, NEVER_ABORTED, (draft, { answer, ...plan }) => {
    if (plan.asked === asked && answer) call.keepAnswer?.(draft, answer);
  });
  return plan?.asked === asked ? (plan.answer as A | undefined) : undefined;
}

/**
 * Stores a plan and carries it out as a new task, whose id is added to the answer. With `session`, also
 * removes that session.
 */
export async function forgetFollowed<A extends object>(
  deps: ForgetOperationDeps,
  call: ServiceCall,
  tenant: Tenant,
  {
    plan,
    answer: receipt,
    ...order
  }: Pick<ForgetOrder, "session" | "sessions" | "asked"> & { readonly plan: ForgetPlan; readonly answer: A },
): Promise<A & { taskId: string }> {
  const { workspace, owner } = tenant;
  const task = deps.ids();
  const answer = { ...receipt, taskId: task };
  const later = call.laterAnswer?.(answer);
  deps.follower.watchJobs(task);
  try {
    await storePlan(deps, tenant, plan, {
      ...order,
      task,
      jobOwner: jobOwner(call.caller),
      origins: [task],
      answer: { ...answer },
      ...(later && { later }),
    });
    deps.follower.endTaskAfterJobs(workspace, { id: task, user: owner.user });
    await carryOut(deps, tenant, NEVER_ABORTED);
    return answer;
  } finally {
    deps.follower.abandonUnlessFollowed(task);
  }
}
