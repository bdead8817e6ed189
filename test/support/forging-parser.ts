import { answerCalls, BytesAnswer } from "../../src/base/processes/answer-calls.ts";

/**
 * A parsing process under the control of a malicious file: the file is JSON and states the answer to send.
 */
answerCalls((_, bytes) => {
  const { value, sections = "", outline = "", text = "", extra } = JSON.parse(Buffer.from(bytes!).toString());
  if (extra !== undefined) return extra;
  const sizes = { sectionBytes: Buffer.byteLength(sections), outlineBytes: Buffer.byteLength(outline) };
  const all = [Buffer.from(sections), Buffer.from(outline), Buffer.from(text, "latin1")];
  return new BytesAnswer(Buffer.concat(all), { ...sizes, ...value });
});
