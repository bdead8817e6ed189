import { failedPrecondition, notFound } from "../../domain/errors.ts";
import type { QueueName } from "../../domain/job.ts";
import type { ServiceCall } from "../service-call.ts";
import { checkDeadLetters, type DeadLetterDeps, isRetryable } from "./list-dead-letters.ts";

/** A sequence number as shown in lists; larger ones are never assigned. */
const ID = /^(?:0|[1-9]\d{0,14})$/;

/** POST observer/dead_letters/{id}/retry: enqueues the job again and removes its dead letter. */
export async function retryDeadLetter(
  deps: DeadLetterDeps,
  call: ServiceCall,
  { id }: { readonly id: string },
): Promise<{ id: string; queue: QueueName }> {
  checkDeadLetters(call.caller);
  if (!ID.test(id)) throw notFound("dead letter", id);
  const { workspace } = await deps.tenants.openOrCreate(call.caller);
  return workspace.transact((draft) => {
    const letter = deps.queue.letters.of(draft, workspace.incarnation, Number(id));
    if (!letter) throw notFound("dead letter", id);
    if (!isRetryable(deps, letter))
      throw failedPrecondition(
        `dead letter ${id}`,
        "the job cannot be retried: add its source or write its content again",
      );
    deps.queue.enqueue(draft, deps.queue.letters.take(draft, letter));
    deps.queue.admit(draft, workspace.incarnation);
    return () => ({ id, queue: letter.queue });
  });
}
