import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Closers } from "../base/closers.ts";
import type { Log } from "../base/log.ts";
import { packageRoot } from "../base/package-root.ts";
import { StartError } from "../base/start-error.ts";
import type { Trace } from "../base/trace.ts";
import type { Config } from "../config/config.ts";
import type { EmbedDeps } from "../enrich/embed-nodes-job.ts";
import { settleDimensions } from "../index/space-dimensions.ts";
import type { Embedders, InstantEmbedder } from "../providers/embedding.ts";
import { openEmbedders, openRemoteEmbedders } from "../providers/open.ts";
import type { ModelUse } from "../providers/usage.ts";
import { QueryVectors } from "../retrieve/query-vectors.ts";
import type { Kv } from "../storage/kv.ts";

/** The embedders as the rings above ask for them. */
export interface Embedding {
  readonly instant: InstantEmbedder;
  /** As in IndexStores. */
  readonly spaces: readonly string[];
  readonly queryVectors: QueryVectors;
  /** For the jobs that fill the main space. */
  readonly jobs: Pick<EmbedDeps, "embedder" | "count">;
  /** Texts embedded by these jobs since the start, by space. */
  readonly embedded: ReadonlyMap<string, number>;
}

export interface EmbeddingDeps {
  readonly log: Log;
  readonly closers: Closers;
  readonly kv: Kv;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly trace: Trace;
  /** As in RemoteDeps. */
  readonly countTokens: (account: number, use: ModelUse) => void;
}

/** Names the embedders of the settings; nothing is loaded, started or asked before its first text. Throws StartError where a package is missing. */
export function openEmbedding({ embedding }: Config, { log, closers, kv, clock, random, trace, countTokens }: EmbeddingDeps): Embedding {
  const embedders = embeddersOf(embedding, {
    log,
    clock,
    random,
    trace,
    dimensionsOf: (space, found) => settleDimensions(kv, space, found),
    count: countTokens,
  });
  for (const embedder of embedders.queued) closers.add("embedding", "work", () => embedder.close());
  const embedded = new Map<string, number>();
  return {
    instant: embedders.instant,
    spaces: embedders.queued.map(({ space }) => space.name),
    queryVectors: new QueryVectors(embedders),
    jobs: { embedder: embedders.queued[0], count: (space, texts) => add(embedded, space, texts) },
    embedded,
  };
}

function embeddersOf(settings: Config["embedding"], deps: Parameters<typeof openRemoteEmbedders>[2]): Embedders {
  const models = join(packageRoot(import.meta.url), "models");
  const { provider, model } = settings;
  if (provider === "builtin" || provider === "light") return openEmbedders(provider, models, deps.log);
  // refused by the settings already; said here for the compiler
  if (provider === "anthropic" || model === undefined) throw new StartError(`CTXDB_EMBEDDING_PROVIDER ${provider} needs a model`);
  return openRemoteEmbedders({ ...settings, provider, model }, models, deps);
}

const add = (counts: Map<string, number>, name: string, more: number): void => void counts.set(name, (counts.get(name) ?? 0) + more);
