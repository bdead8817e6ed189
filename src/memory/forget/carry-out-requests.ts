import { ServiceError } from "../../domain/errors.ts";
import type { JobOwner } from "../../domain/job.ts";
import type { NodeId } from "../../domain/node.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { carryOut, type ForgetDeps } from "./carry-out.ts";
import { memoriesLock } from "./clear-job.ts";
import type { Whose } from "./find-memories.ts";
import type { SaidMessage } from "./find-said.ts";
import { planForget } from "./plan.ts";
import { digestOf } from "./redact-text.ts";
import type { ForgetRequest } from "./requests.ts";
import { storePlan } from "./store-plan.ts";

/**
 * Maximum number of memories that one sentence in a conversation can remove; more is unlikely to be intended.
 */
const MAX_MEMORIES = 20;

/** A forget request with its source message. */
export interface SaidRequest extends ForgetRequest {
  readonly session: string;
  readonly node: NodeId;
  readonly archive: number;
  readonly sequence: number;
}

/**
 * Executes a user's forget requests in a conversation, and forgets the sentences with the requests. A request
 * that would remove too much is ignored.
 */
export async function carryOutForgetRequests(
  deps: ForgetDeps,
  whose: Whose,
  requests: readonly SaidRequest[],
  { jobOwner, origins }: { readonly jobOwner: JobOwner; readonly origins: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const { workspace, owner } = whose;
  await workspace.locks.run(memoriesLock(owner.user), async () => {
    await carryOut(deps, whose, signal);
    for (const request of requests) {
      const plan = await planWithin(whose, request, signal);
      if (!plan) continue;
      const order = { jobOwner, origins, sessions: [request.node] };
      await storePlan(deps, whose, { ...plan, said: withRequest(workspace, plan.said, request) }, order);
      await carryOut(deps, whose, signal);
    }
  });
}

/** The messages of a plan with the sentence of the request itself; messages of a session stay together. */
function withRequest(
  { kv, keys }: Workspace,
  said: readonly SaidMessage[],
  { sentence, message, session, node, archive, sequence }: SaidRequest,
): SaidMessage[] {
  const isIt = (one: SaidMessage) =>
    one.node === node && one.archive === archive && one.sequence === sequence;
  const own = digestOf(sentence, { start: 0, end: sentence.length });
  if (said.some(isIt))
    return said.map((one) => (isIt(one) ? { ...one, gone: new Set(one.gone).add(own) } : one));
  const bytes = kv.get(keys.message(node, archive, sequence))?.byteLength ?? 0;
  return [...said, { session, node, archive, sequence, message, bytes, gone: new Set([own]) }];
}

/** Undefined if the plan would remove more than intended, or something that cannot be removed. */
async function planWithin(whose: Whose, { what }: ForgetRequest, signal: AbortSignal) {
  try {
    return await planForget(whose, { query: what, minScore: 1 }, MAX_MEMORIES, signal);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "FAILED_PRECONDITION") return undefined;
    throw error;
  }
}
