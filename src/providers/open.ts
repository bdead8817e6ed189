import type { Log } from "../base/log.ts";
import type { RemoteModel } from "./ai/embedding-model.ts";
import type { RemoteLanguage } from "./ai/language-call.ts";
import { type RemoteDeps, remoteEmbedder } from "./ai/remote-embedding.ts";
import { type LanguageDeps, remoteLanguage } from "./ai/remote-language.ts";
import { type RemoteRerank, RemoteRerankModel } from "./ai/remote-rerank.ts";
import { remoteSpeech } from "./ai/remote-speech.ts";
import { miniLmEmbedder } from "./builtin/minilm-embedding.ts";
import { staticEmbedder } from "./builtin/static-embedding.ts";
import type { Embedders } from "./embedding.ts";
import type { Adviser } from "./language.ts";
import { type MeterDeps, MeteredLanguage, MeteredRerank, MeteredSpeech } from "./metered.ts";
import { systemTiming, type Timing } from "./provider-guard.ts";
import type { Reranker } from "./rerank.ts";
import type { Transcriber } from "./speech.ts";

/**
 * The embedders without a network: `models` is the folder of the shipped models. Nothing is loaded or started
 * yet.
 */
export function openEmbedders(provider: "builtin" | "light", models: string, log: Log): Embedders {
  const instant = staticEmbedder(models);
  return { instant, queued: provider === "light" ? [] : [miniLmEmbedder(models, instant, log)] };
}

/**
 * Those, and a remote model before them: the built-in one serves what it has embedded until the other is
 * through. Throws StartError where a package is missing.
 */
export function openRemoteEmbedders(
  model: RemoteModel,
  models: string,
  deps: Omit<RemoteDeps, "timing"> & Pick<Timing, "clock" | "random">,
): Embedders {
  const { instant, queued } = openEmbedders("builtin", models, deps.log);
  return { instant, queued: [remoteEmbedder(model, { ...deps, timing: systemTiming(deps) }), ...queued] };
}

export type ModelDeps = MeterDeps & Pick<Timing, "clock" | "random"> & Pick<LanguageDeps, "trace">;

/**
 * A language model, one that sees pictures included, with what ends it. Throws StartError where a package is
 * missing.
 */
export function openLanguageModel(
  remote: RemoteLanguage,
  deps: ModelDeps,
): { readonly adviser: Adviser; readonly close: () => void } {
  const model = remoteLanguage(remote, { log: deps.log, trace: deps.trace, timing: systemTiming(deps) });
  return { adviser: new MeteredLanguage(model, deps), close: () => model.close() };
}

/**
 * A model that writes down what recordings say, with what ends it. Throws StartError where a package is
 * missing.
 */
export function openSpeechModel(
  remote: RemoteLanguage,
  deps: ModelDeps,
): { readonly transcriber: Transcriber; readonly close: () => void } {
  const model = remoteSpeech(remote, { log: deps.log, trace: deps.trace, timing: systemTiming(deps) });
  return { transcriber: new MeteredSpeech(model, deps), close: () => model.close() };
}

/** A reranking model and the function that closes it. */
export function openRerankModel(
  remote: RemoteRerank,
  deps: ModelDeps,
): { readonly reranker: Reranker; readonly close: () => void } {
  const model = new RemoteRerankModel(remote, {
    log: deps.log,
    trace: deps.trace,
    timing: systemTiming(deps),
  });
  return { reranker: new MeteredRerank(model, deps), close: () => model.close() };
}
