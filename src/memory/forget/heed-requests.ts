import { ServiceError } from "../../domain/errors.ts";
import type { JobOwner } from "../../domain/job.ts";
import type { NodeId } from "../../domain/node.ts";
import { beginForget, carryOut, type ForgetDeps } from "./carry-out.ts";
import { memoriesLock } from "./clear-job.ts";
import type { Whose } from "./find-memories.ts";
import type { SaidMessage } from "./find-said.ts";
import { KeyWords } from "./key-words.ts";
import { planForget } from "./plan.ts";
import { redactSaid } from "./redact-sessions.ts";
import type { ForgetRequest } from "./requests.ts";
import { messageKey, Targets } from "./targets.ts";

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
 * Executes a user's forget requests in a conversation. The requests themselves are removed last, so that they
 * are executed again after a crash. A request that would remove too much is ignored.
 */
export async function heedRequests(
  deps: ForgetDeps,
  whose: Whose,
  requests: readonly SaidRequest[],
  { jobOwner, origins }: { readonly jobOwner: JobOwner; readonly origins: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const { workspace, owner } = whose;
  await workspace.locks.run(memoriesLock(owner.user), async () => {
    for (const request of requests) {
      const plan = await planWithin(whose, request, signal);
      if (!plan) continue;
      const order = { jobOwner, origins, session: request.node };
      const isRequest = ({ node, message }: Pick<SaidMessage, "node" | "message">) =>
        requests.some((one) => one.node === node && one.message === message);
      await beginForget(deps, whose, plan, order);
      await carryOut(
        deps,
        whose,
        { ...plan, said: plan.said.filter((one) => !isRequest(one)) },
        order,
        signal,
      );
      const key = messageKey(request.session, request.archive, request.message);
      const gone = new Set([request.sentence]);
      const targets = new Targets([
        { phrase: request.what, minShare: 1, sources: new Set() },
        { phrase: new KeyWords(""), minShare: 1, sources: new Set([key]), sentences: gone },
      ]);
      await redactSaid(workspace, [...plan.said.filter(isRequest), { ...request, gone }], targets, signal);
    }
  });
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
