import { sha256 } from "../../base/sha256.ts";
import { trimJob } from "../../domain/job.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import {
  FIRST_ANSWER_LIFE_MS,
  findFirstAnswer,
  putFirstAnswer,
} from "../../workspace/requests/first-answers.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

/** Not the name of an operation, so that ids of responses cannot collide with keys of requests. */
const OPERATION = "answer of a provider";
/** Maximum characters of a response id; providers use fewer than 100. */
const MAX_ID = 1024;

const hashOf = (answer: string): string => sha256(`${OPERATION}\n${answer}`);

/**
 * Records the session of a provider's response for 24 hours. Uses the records, expiry and removal of first
 * answers.
 */
export async function noteAnswerSession(
  deps: { readonly tenants: Tenants; readonly queue: JobQueue },
  call: ServiceCall,
  { answer, session }: { readonly answer: string; readonly session: string },
): Promise<void> {
  if (answer.length > MAX_ID) return;
  const { workspace } = await deps.tenants.openOrCreate(call.caller);
  const at = workspace.clock();
  const record = { bodyHash: "", message: Buffer.from(session).toString("base64"), at };
  await workspace.transact(
    (draft) => {
      putFirstAnswer(draft, workspace, call.caller.user, hashOf(answer), record);
      deps.queue.enqueue(draft, trimJob(workspace.incarnation, at + FIRST_ANSWER_LIFE_MS));
      return () => undefined;
    },
    { sync: false },
  );
}

/** The session of a response recorded less than 24 hours ago. */
export async function answerSession(
  deps: { readonly tenants: Tenants },
  call: ServiceCall,
  answer: string,
): Promise<string | undefined> {
  if (answer.length > MAX_ID) return undefined;
  const { workspace } = await deps.tenants.openOrEmpty(call.caller);
  const found = findFirstAnswer(workspace, call.caller.user, hashOf(answer));
  return found && Buffer.from(found.message, "base64").toString();
}
