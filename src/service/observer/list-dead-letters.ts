import type { Caller } from "../../domain/caller.ts";
import { invalidArgument, permissionDenied } from "../../domain/errors.ts";
import { COPY, type DeadLetter, IMPORT, RESTORE_SNAPSHOT } from "../../domain/job.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

export interface DeadLetterDeps {
  readonly tenants: Pick<Tenants, "openOrEmpty" | "openOrCreate" | "hasOwner">;
  readonly queue: Pick<JobQueue, "letters" | "enqueue" | "admit">;
  readonly cursors: Cursors;
}

/** A dead letter in API responses. */
interface DeadLetterView extends Pick<DeadLetter, "queue" | "kind" | "reason"> {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly attempts: number;
  readonly retryable: boolean;
}

/**
 * Throws unless the caller is ROOT or an administrator, because dead letters concern all users of a
 * workspace.
 */
export function checkDeadLetters({ role }: Caller): void {
  if (role === "user")
    throw permissionDenied("dead letters", "only ROOT and the administrators of the account may see them");
}

/**
 * Whether a job can be retried: it is not an import, copy or restore, its payload is stored and its user
 * still exists.
 */
export const isRetryable = (
  { tenants }: Pick<DeadLetterDeps, "tenants">,
  letter: DeadLetter,
): letter is Required<DeadLetter> =>
  letter.kind !== IMPORT &&
  letter.kind !== COPY &&
  letter.kind !== RESTORE_SNAPSHOT &&
  letter.job !== undefined &&
  tenants.hasOwner({ workspace: letter.workspace, ...letter.job });

/** GET observer/dead_letters: failed jobs of the caller's workspace, newest first. */
export async function listDeadLetters(
  deps: DeadLetterDeps,
  call: ServiceCall,
  input: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
): Promise<{ deadLetters: DeadLetterView[]; nextCursor?: string }> {
  checkDeadLetters(call.caller);
  const limit = input.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  const { incarnation } = (await deps.tenants.openOrEmpty(call.caller)).workspace;
  const list = { operation: "dead_letters", caller: call.caller, incarnation, args: [] };
  const place = deps.cursors.open(list, input.cursor);
  const before = place === undefined ? undefined : Number(place);
  const found = await deps.queue.letters.list(incarnation, limit + 1, before);
  const shown = found.slice(0, limit);
  const deadLetters = shown.map((letter) => viewOf(deps, letter));
  const last = shown.at(-1);
  return found.length > limit && last
    ? { deadLetters, nextCursor: deps.cursors.seal(list, String(last.sequence)) }
    : { deadLetters };
}

function viewOf(deps: DeadLetterDeps, letter: DeadLetter): DeadLetterView {
  const { sequence, queue, kind, reason, at, attempts = 0 } = letter;
  return {
    id: String(sequence),
    queue,
    kind,
    reason,
    at: new Date(at).toISOString(),
    attempts,
    retryable: isRetryable(deps, letter),
  };
}
