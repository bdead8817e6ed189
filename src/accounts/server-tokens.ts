import type { FactTally } from "../storage/server-facts.ts";
import type { ModelTokens } from "./account-records.ts";

/** Name of the server fact with the token counts of all accounts. */
export const SERVER_TOKENS = "tokens";

/** Separator; provider names have no spaces. */
const BETWEEN = " ";

/** Converts tokens by model to a tally that several servers can add to. */
export function tallyOf(models: readonly ModelTokens[]): FactTally {
  const sums: Record<string, number> = {};
  const highest: Record<string, number> = {};
  for (const { provider, model, prompt, completion, updatedAt } of models) {
    const name = `${provider}${BETWEEN}${model}`;
    sums[`prompt ${name}`] = prompt;
    sums[`completion ${name}`] = completion;
    highest[name] = updatedAt;
  }
  return { sums, highest };
}

/** The models in a tally, in the order in which they were first added. */
export const modelsOf = ({ sums, highest }: FactTally): ModelTokens[] =>
  Object.entries(highest).map(([name, updatedAt]) => {
    const end = name.indexOf(BETWEEN);
    return {
      provider: name.slice(0, end),
      model: name.slice(end + 1),
      prompt: sums[`prompt ${name}`] ?? 0,
      completion: sums[`completion ${name}`] ?? 0,
      updatedAt,
    };
  });
