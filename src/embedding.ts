import { join } from "node:path";
import type { Closers } from "./base/closers.ts";
import type { Log } from "./base/log.ts";
import { packageRoot } from "./base/package-root.ts";
import type { Config } from "./config/config.ts";
import type { EmbedDeps } from "./enrich/embed-nodes-job.ts";
import type { InstantEmbedder } from "./providers/embedding.ts";
import { openEmbedders } from "./providers/open.ts";
import { QueryVectors } from "./retrieve/query-vectors.ts";

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

/** Names the embedders of the settings; nothing is loaded or started before its first text. */
export function openEmbedding({ embedding }: Config, log: Log, closers: Closers): Embedding {
  const embedders = openEmbedders(embedding.provider, join(packageRoot(import.meta.url), "models"), log);
  for (const embedder of embedders.queued) closers.add("embedding", () => embedder.close());
  const embedded = new Map<string, number>();
  return {
    instant: embedders.instant,
    spaces: embedders.queued.map(({ space }) => space.name),
    queryVectors: new QueryVectors(embedders),
    jobs: { embedder: embedders.queued[0], count: (space, texts) => void embedded.set(space, (embedded.get(space) ?? 0) + texts) },
    embedded,
  };
}
