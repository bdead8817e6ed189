import { answerCalls, BytesAnswer } from "../../base/processes/answer-calls.ts";
import { type EmbedText, loadMiniLm } from "./minilm-model.ts";

const [folder = "", threads = "1"] = process.argv.slice(2);
let loading: Promise<EmbedText | { readonly unusable: string }> | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Embeds texts one at a time, in order of arrival. Answers with the vector as bytes, or with `unusable` if
 * the model cannot be loaded on this machine.
 */
answerCalls<string>((text) => {
  loading ??= loadMiniLm(folder, Number(threads)).catch((error: unknown) => ({
    unusable: error instanceof Error ? error.message : String(error),
  }));
  const model = loading;
  const answer = last.then(async () => {
    const embed = await model;
    if (typeof embed !== "function") return embed;
    const vector = await embed(text);
    return new BytesAnswer(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  });
  last = answer.catch(() => undefined);
  return answer;
});
