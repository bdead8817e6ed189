import type { Closers } from "./base/closers.ts";
import type { Config } from "./config/config.ts";
import type { Adviser } from "./providers/language.ts";
import { type ModelDeps, openLanguageModel, openSpeechModel } from "./providers/open.ts";
import type { Transcriber } from "./providers/speech.ts";

interface Deps extends Omit<ModelDeps, "maxPerDay"> {
  readonly closers: Closers;
}

/** What sees pictures and hears recordings; undefined where the settings name none. */
export interface Senses {
  readonly vision: Adviser | undefined;
  readonly speech: Transcriber | undefined;
}

/** Nothing is loaded or asked before the first picture or recording. Throws StartError where a package is missing. */
export function openSenses({ vision, speech, language }: Config, { closers, ...deps }: Deps): Senses {
  const metered = { ...deps, maxPerDay: language.maxTokensPerDay };
  const seeing = vision && openLanguageModel(vision, metered);
  if (seeing) closers.add("vision model", seeing.close);
  const hearing = speech && openSpeechModel(speech, metered);
  if (hearing) closers.add("speech model", hearing.close);
  return { vision: seeing?.adviser, speech: hearing?.transcriber };
}
