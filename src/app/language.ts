import type { Closers } from "../base/closers.ts";
import { StartError } from "../base/start-error.ts";
import type { Config } from "../config/config.ts";
import type { Adviser } from "../providers/language.ts";
import type { MeterDeps } from "../providers/metered.ts";
import { openLanguageModel } from "../providers/open.ts";

interface Deps extends Omit<MeterDeps, "maxPerDay">, Omit<Parameters<typeof openLanguageModel>[1], "maxPerDay"> {
  readonly closers: Closers;
}

/** The language model of the settings, undefined where there is none; nothing is loaded or asked before its first question. Throws StartError where a package is missing. */
export function openLanguage({ language }: Config, { closers, ...deps }: Deps): Adviser | undefined {
  const { provider, model, maxTokensPerDay } = language;
  if (provider === "none") return undefined;
  // refused by the settings already; said here for the compiler
  if (model === undefined) throw new StartError(`CTXDB_LLM_PROVIDER ${provider} needs a model`);
  const { adviser, close } = openLanguageModel(
    { ...language, provider, model, settings: "CTXDB_LLM" },
    { ...deps, maxPerDay: maxTokensPerDay },
  );
  closers.add("language model", "work", close);
  return adviser;
}
