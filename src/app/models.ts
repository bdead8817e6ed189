import { join } from "node:path";
import { limitOf, type Quotas } from "../accounts/quotas.ts";
import { TokenLedger } from "../accounts/token-ledger.ts";
import type { Clock } from "../base/clock.ts";
import type { Closers } from "../base/closers.ts";
import type { Log } from "../base/log.ts";
import { packageRoot } from "../base/package-root.ts";
import { StartError } from "../base/start-error.ts";
import type { Trace } from "../base/trace.ts";
import type { Config } from "../config/config.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import type { EmbedDeps } from "../enrich/embed-nodes-job.ts";
import type { Embedders, InstantEmbedder } from "../providers/embedding.ts";
import type { Adviser } from "../providers/language.ts";
import {
  type ModelDeps,
  openEmbedders,
  openLanguageModel,
  openRemoteEmbedders,
  openRerankModel,
  openSpeechModel,
} from "../providers/open.ts";
import type { Reranker } from "../providers/rerank.ts";
import type { Transcriber } from "../providers/speech.ts";
import type { ModelUse } from "../providers/usage.ts";
import { QueryVectors } from "../retrieve/query-vectors.ts";
import type { Kv } from "../storage/kv.ts";
import { NUMBERS } from "../storage/record-codec.ts";
import type { ServerFacts } from "../storage/server-facts.ts";

export interface Embedding {
  readonly instant: InstantEmbedder;
  /** Vector spaces besides the instant space, the preferred one first. */
  readonly spaces: readonly string[];
  readonly queryVectors: QueryVectors;
  /** Dependencies of the jobs that fill the main space. */
  readonly jobs: Pick<EmbedDeps, "embedder" | "count">;
  /** Number of texts that these jobs have embedded since the start, by space. */
  readonly embedded: ReadonlyMap<string, number>;
}

/** Vision, speech and rerank models; undefined if not configured. */
export interface MediaModels {
  readonly vision: Adviser | undefined;
  readonly speech: Transcriber | undefined;
  readonly reranker: Reranker | undefined;
}

/** All configured models, and the ledger that counts their tokens. */
export interface Models extends MediaModels {
  readonly ledger: TokenLedger;
  readonly embedding: Embedding;
  readonly adviser: Adviser | undefined;
}

interface Deps {
  readonly log: Log;
  readonly closers: Closers;
  readonly kv: Kv;
  readonly facts: ServerFacts;
  readonly clock: Clock;
  /** Random number from 0 to 1, for retry delays. */
  readonly random: () => number;
  readonly trace: Trace;
  readonly report: (what: string, error: unknown) => void;
  readonly quotasOf: (workspace: WorkspaceId) => Quotas;
}

type MeteredDeps = ModelDeps & { readonly closers: Closers };

/** Loads, starts and calls nothing before first use. Rejects with a StartError if a package is missing. */
export async function openModels(config: Config, deps: Deps): Promise<Models> {
  const ledger = await TokenLedger.open(deps);
  deps.closers.add("token counts", "state", () => ledger.flush());
  const count: TokenLedger["count"] = (workspace, use) => ledger.count(workspace, use);
  const embedding = openEmbedding(config, deps, count);
  const metered = {
    ...deps,
    count,
    spentToday: (workspace: WorkspaceId) => ledger.spentToday(workspace),
    maxPerDay: (workspace: WorkspaceId) =>
      limitOf(deps.quotasOf(workspace).modelTokensPerDay, config.language.maxTokensPerDay),
  };
  return { ledger, embedding, adviser: openLanguage(config, metered), ...openMediaModels(config, metered) };
}

function openEmbedding(
  { embedding }: Config,
  { log, closers, facts, clock, random, trace }: Deps,
  count: (workspace: WorkspaceId, use: ModelUse) => void,
): Embedding {
  const embedders = embeddersOf(embedding, {
    log,
    clock,
    random,
    trace,
    count,
    dimensionsOf: (space, found) => facts.settle(space, NUMBERS, found),
  });
  for (const embedder of embedders.queued) closers.add("embedding", "work", () => embedder.close());
  const embedded = new Map<string, number>();
  const countTexts = (space: string, texts: number) =>
    void embedded.set(space, (embedded.get(space) ?? 0) + texts);
  return {
    instant: embedders.instant,
    spaces: embedders.queued.map(({ space }) => space.name),
    queryVectors: new QueryVectors(embedders),
    jobs: { embedder: embedders.queued[0], count: countTexts },
    embedded,
  };
}

function embeddersOf(
  settings: Config["embedding"],
  deps: Parameters<typeof openRemoteEmbedders>[2],
): Embedders {
  const models = join(packageRoot(import.meta.url), "models");
  const { provider, model } = settings;
  if (provider === "builtin" || provider === "light") return openEmbedders(provider, models, deps.log);
  // validated with the settings; this check only narrows the types
  if (provider === "anthropic" || model === undefined)
    throw new StartError(
      `CTXDB_EMBEDDING_PROVIDER=${provider} needs CTXDB_EMBEDDING_MODEL: set it to the name of a model`,
    );
  return openRemoteEmbedders({ ...settings, provider, model }, models, deps);
}

function openLanguage({ language }: Config, { closers, ...deps }: MeteredDeps): Adviser | undefined {
  const { provider, model } = language;
  if (provider === "none") return undefined;
  // validated with the settings; this check only narrows the types
  if (model === undefined)
    throw new StartError(
      `CTXDB_LLM_PROVIDER=${provider} needs CTXDB_LLM_MODEL: set it to the name of a model`,
    );
  const { adviser, close } = openLanguageModel({ ...language, provider, model, settings: "CTXDB_LLM" }, deps);
  closers.add("language model", "work", close);
  return adviser;
}

function openMediaModels(
  { vision, speech, rerank }: Config,
  { closers, ...metered }: MeteredDeps,
): MediaModels {
  const seeing = vision && openLanguageModel(vision, metered);
  if (seeing) closers.add("vision model", "work", seeing.close);
  const hearing = speech && openSpeechModel(speech, metered);
  if (hearing) closers.add("speech model", "work", hearing.close);
  const ranking = rerank && openRerankModel(rerank, metered);
  if (ranking) closers.add("rerank model", "work", ranking.close);
  return { vision: seeing?.adviser, speech: hearing?.transcriber, reranker: ranking?.reranker };
}
