import { createHash } from "node:crypto";
import { type DescMessage, fromBinary, type Message, toBinary, toJson } from "@bufbuild/protobuf";
import type { Caller } from "../../domain/caller.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { FirstAnswer, FirstAnswerOrLease } from "../../service/first-answers.ts";
import type { RunningCall } from "../call.ts";
import { messageFrom } from "../messages.ts";

/** Stores first answers by caller (account and user), operation and key. */
export interface Idempotency {
  /**
   * Waits while a call with the same key is running. Throws INVALID_ARGUMENT (field idempotency_key) if the
   * key was used with a different `bodyHash` (hexadecimal).
   */
  begin(caller: Caller, operation: string, key: string, bodyHash: string): Promise<FirstAnswerOrLease>;
}

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

/** Runs `work` at most once per key. */
export async function once(
  store: Idempotency,
  call: RunningCall,
  key: string,
  schema: { readonly input: DescMessage; readonly output: DescMessage },
  request: Message,
  work: () => Promise<Message>,
): Promise<Message> {
  if (!PRINTABLE.test(key))
    throw invalidArgument("idempotency_key", "must be 1 to 128 printable ASCII characters");
  const begun = await store.begin(call.caller, call.operation, key, hashOf(schema.input, request));
  if ("answer" in begun) {
    if (begun.answer.etag !== undefined) call.reply.etag = begun.answer.etag;
    return fromBinary(schema.output, begun.answer.message);
  }
  const kept = (message: Message): FirstAnswer => ({
    message: toBinary(schema.output, message),
    ...(call.reply.etag !== undefined && { etag: call.reply.etag }),
  });
  call.keepAnswer = (draft, output) => begun.keep(draft, kept(messageFrom(schema.output, output)));
  call.laterAnswer = (output) => begun.later(kept(messageFrom(schema.output, output)));
  let answer: FirstAnswer | undefined;
  try {
    const message = await work();
    answer = kept(message);
    return message;
  } finally {
    await begun.finish(answer);
  }
}

/** Hashes JSON instead of the binary form, which cannot represent lone surrogates. */
function hashOf(schema: DescMessage, request: Message): string {
  const body = { ...request, idempotencyKey: undefined };
  return createHash("sha256")
    .update(JSON.stringify(toJson(schema, body)))
    .digest("hex");
}
