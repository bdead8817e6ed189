import { present } from "../../../base/expect.ts";
import { answerCalls, BytesAnswer } from "../../../base/processes/answer-calls.ts";
import { shownPicture } from "../media/picture.ts";
import { parse } from "../parse.ts";
import { Unreadable } from "../unreadable.ts";
import { type ChildCall, MAX_TEXT_LENGTH, type ParseCall, pack, type Unread } from "./parse-message.ts";

answerCalls<ChildCall>((call, sent) => {
  const bytes = present(sent, "file");
  return "show" in call ? show(bytes) : read(call, bytes);
});

async function show(bytes: Uint8Array): Promise<BytesAnswer | Unread> {
  try {
    return new BytesAnswer(await shownPicture(bytes));
  } catch {
    return { unreadable: "the picture cannot be decoded" };
  }
}

async function read({ name, base }: ParseCall, bytes: Uint8Array): Promise<BytesAnswer | Unread> {
  try {
    const parsed = await parse(name, bytes, base);
    if (parsed.text.length > MAX_TEXT_LENGTH)
      return { unreadable: `it holds more than ${MAX_TEXT_LENGTH} characters of text` };
    const packed = pack(parsed);
    return new BytesAnswer(packed.bytes, packed.parsed);
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.reason };
    throw error;
  }
}
