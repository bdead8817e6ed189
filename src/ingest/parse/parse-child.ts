import { answerCalls } from "../../base/answer-calls.ts";
import { parse } from "./parse.ts";
import { type ParseAnswer, type ParseCall, pack } from "./parse-message.ts";
import { Unreadable } from "./unreadable.ts";

/** Characters that a file may become; its process has the memory for them, and the server too. */
const MAX_TEXT_LENGTH = 64 * 1024 * 1024;

answerCalls(async (call, bytes): Promise<ParseAnswer> => {
  const { name, base } = call as ParseCall;
  try {
    const parsed = await parse(name, bytes!, base);
    return parsed.text.length > MAX_TEXT_LENGTH ? { unreadable: `it holds more than ${MAX_TEXT_LENGTH} characters of text` } : pack(parsed);
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.reason };
    throw error;
  }
});
