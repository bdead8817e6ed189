import {
  type DescMessage,
  fromBinary,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { EventLoopYielder } from "../../base/event-loop.ts";
import { isObject } from "../../base/expect.ts";
import { sha256InTurns } from "../../base/sha256.ts";
import type { Caller } from "../../domain/caller.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { FirstAnswer, FirstAnswerOrLease } from "../../service/first-answers.ts";
import type { RunningCall } from "../call.ts";
import { messageFrom } from "../message-fields.ts";
import { listOf } from "../rest/envelope.ts";

/** Stores first answers by caller (account and user), operation and key. */
export interface Idempotency {
  /**
   * Waits while a call with the same key is running. Throws INVALID_ARGUMENT (field idempotency_key) if the
   * key was used with a different `bodyHash` (hexadecimal).
   */
  begin(caller: Caller, operation: string, key: string, bodyHash: string): Promise<FirstAnswerOrLease>;
}

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

/** Runs `work`, or returns the first answer under the key. Throws INVALID_ARGUMENT for a malformed key. */
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
  const begun = await store.begin(call.caller, call.operation, key, await hashOf(schema.input, request));
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
async function hashOf(schema: DescMessage, request: Message): Promise<string> {
  return sha256InTurns(await new EventLoopYielder().through(jsonSteps(schema, request)));
}

/** The JSON of a request without its key, in steps: a body may have megabytes, or thousands of items. */
export function* jsonSteps(schema: DescMessage, request: Message): Generator<undefined, Buffer> {
  const lists = schema.fields.filter((field) => field.fieldKind === "list" && field.listKind === "message");
  // one item per list keeps the position of its field
  const short = lists.map((field) => [field.localName, listOf(request, field).slice(0, 1)] as const);
  const json = toJson(
    schema,
    Object.assign({ ...request }, { idempotencyKey: undefined }, Object.fromEntries(short)),
  );
  yield;
  if (isObject(json)) {
    for (const field of lists) {
      const items = listOf(request, field);
      if (items.length > 0 && field.message) json[field.jsonName] = yield* itemSteps(field.message, items);
    }
  }
  const text = JSON.stringify(json);
  yield;
  return Buffer.from(text);
}

function* itemSteps(desc: DescMessage, items: readonly Message[]): Generator<undefined, JsonValue[]> {
  const made: JsonValue[] = [];
  for (const item of items) {
    made.push(toJson(desc, item));
    yield;
  }
  return made;
}
