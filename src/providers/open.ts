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

/** The local embedders. `models`: folder of the shipped models. Loads and starts nothing. */
export function openEmbedders(provider: "builtin" | "light", models: string, log: Log): Embedders {
  const instant = staticEmbedder(models);
  return { instant, queued: provider === "light" ? [] : [miniLmEmbedder(models, instant, log)] };
}

/**
 * A remote embedder, followed by the local ones, which serve until the remote vectors are complete. Throws
 * StartError if a package is missing.
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
 * A language model (also for images), and the function that closes it. Throws StartError if a package is
 * missing.
 */
export function openLanguageModel(
  remote: RemoteLanguage,
  deps: ModelDeps,
): { readonly adviser: Adviser; readonly close: () => void } {
  const model = remoteLanguage(remote, { log: deps.log, trace: deps.trace, timing: systemTiming(deps) });
  return { adviser: new MeteredLanguage(model, deps), close: () => model.close() };
}

/** A speech model and the function that closes it. Throws StartError if a package is missing. */
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
