import { answerCalls } from "../../base/answer-calls.ts";
import { type EmbedText, loadMiniLm } from "./minilm-model.ts";

/** Response of the process to a text. `unusable`: why the model cannot be loaded here. */
export type EmbedAnswer = Float32Array | { readonly unusable: string };

const [folder = "", threads = "1"] = process.argv.slice(2);
let loading: Promise<EmbedText | { readonly unusable: string }> | undefined;
let last: Promise<unknown> = Promise.resolve();

/** One text at a time, in the order of arrival. */
answerCalls<string>((text) => {
  loading ??= loadMiniLm(folder, Number(threads)).catch((error: unknown) => ({
    unusable: error instanceof Error ? error.message : String(error),
  }));
  const model = loading;
  const answer = last.then(async (): Promise<EmbedAnswer> => {
    const embed = await model;
    return typeof embed === "function" ? embed(text) : embed;
  });
  last = answer.catch(() => undefined);
  return answer;
});
