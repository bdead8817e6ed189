import { answerCalls, LargeAnswer } from "../../base/answer-calls.ts";
import { present } from "../../base/expect.ts";
import { shownPicture } from "./media/picture.ts";
import { parse } from "./parse.ts";
import { type ChildCall, type ParseAnswer, type ParseCall, pack, type ShowAnswer } from "./parse-message.ts";
import { Unreadable } from "./unreadable.ts";

/** Character limit of a file's text; both its process and the server have memory for that. */
const MAX_TEXT_LENGTH = 64 * 1024 * 1024;

/** Longer texts are sent in pieces. */
const MAX_MESSAGE_LENGTH = 256 * 1024;

answerCalls<ChildCall>(async (call, sent) => {
  const bytes = present(sent, "file");
  if ("show" in call) return show(bytes);
  const answer = await read(call, bytes);
  return "text" in answer && answer.text.length > MAX_MESSAGE_LENGTH ? new LargeAnswer(answer) : answer;
});

async function show(bytes: Uint8Array): Promise<ShowAnswer> {
  try {
    return { shown: await shownPicture(bytes) };
  } catch {
    return { unreadable: "the picture cannot be decoded" };
  }
}

async function read({ name, base }: ParseCall, bytes: Uint8Array): Promise<ParseAnswer> {
  try {
    const parsed = await parse(name, bytes, base);
    return parsed.text.length > MAX_TEXT_LENGTH
      ? { unreadable: `it holds more than ${MAX_TEXT_LENGTH} characters of text` }
      : pack(parsed);
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.reason };
    throw error;
  }
}
