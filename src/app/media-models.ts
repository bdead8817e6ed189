import type { Closers } from "../base/closers.ts";
import type { Config } from "../config/config.ts";
import type { Adviser } from "../providers/language.ts";
import { type ModelDeps, openLanguageModel, openRerankModel, openSpeechModel } from "../providers/open.ts";
import type { Reranker } from "../providers/rerank.ts";
import type { Transcriber } from "../providers/speech.ts";

interface Deps extends Omit<ModelDeps, "maxPerDay"> {
  readonly closers: Closers;
}

/** What sees pictures, hears recordings and orders hits anew; undefined where the settings name none. */
export interface FurtherModels {
  readonly vision: Adviser | undefined;
  readonly speech: Transcriber | undefined;
  readonly reranker: Reranker | undefined;
}

/** Nothing is loaded or asked before there is something to ask. Throws StartError where a package is missing. */
export function openFurtherModels({ vision, speech, rerank, language }: Config, { closers, ...deps }: Deps): FurtherModels {
  const metered = { ...deps, maxPerDay: language.maxTokensPerDay };
  const seeing = vision && openLanguageModel(vision, metered);
  if (seeing) closers.add("vision model", "work", seeing.close);
  const hearing = speech && openSpeechModel(speech, metered);
  if (hearing) closers.add("speech model", "work", hearing.close);
  const ordering = rerank && openRerankModel(rerank, metered);
  if (ordering) closers.add("rerank model", "work", ordering.close);
  return { vision: seeing?.adviser, speech: hearing?.transcriber, reranker: ordering?.reranker };
}
