import { LruCache } from "../base/lru-cache.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import type { QueryReading } from "../domain/score.ts";
import { namesIdentifier } from "../domain/text/analyse.ts";
import type { Embedders, QueuedEmbedder } from "../providers/embedding.ts";

/** Maximum time in ms to wait for a query vector; after it, the search uses the available spaces. */
const MAX_WAIT_MS = 500;
/** Maximum number of cached query vectors over all spaces. */
const MAX_KEPT = 4096;

export interface EmbeddedQuery {
  /** See SearchQuery.known. */
  readonly known: number;
  readonly reading: QueryReading;
  readonly vectors: ReadonlyMap<string, Float32Array>;
  /** Spaces with vectors for which the query was not embedded in time. */
  readonly missed: readonly string[];
}

/** Embeds queries in the required spaces. */
export class QueryVectors {
  readonly #embedders: Embedders;
  /** Cached vectors by space and text. */
  readonly #kept = new LruCache<Float32Array>(MAX_KEPT);
  /** Number of queries since the start whose vector was late in some space. */
  missed = 0;

  constructor(embedders: Embedders) {
    this.#embedders = embedders;
  }

  /**
   * Returns the vectors of a query from all models that answer in time. `workspace`: the caller's workspace;
   * `held`: spaces of the searched vectors. Does not fail without a model, because the instant space always
   * works.
   */
  async embedWithinLimit(
    text: string,
    held: ReadonlySet<string>,
    signal: AbortSignal,
    workspace: WorkspaceId,
  ): Promise<EmbeddedQuery> {
    const { instant, queued } = this.#embedders;
    const asked = queued.filter(({ space, isUsable }) => isUsable && held.has(space.name));
    const finding = Promise.all(asked.map((embedder) => this.#vectorOf(embedder, text, signal, workspace)));
    // compute the instant vector here while a model works
    const [atOnce, isOfIdentifiers] = [instant.embedNow(text), namesIdentifier(text)];
    const found = await finding;
    const vectors = new Map<string, Float32Array>();
    for (const [i, { space }] of asked.entries()) if (found[i]) vectors.set(space.name, found[i]);
    const missed = [...held].filter((space) => space !== instant.space.name && !vectors.has(space));
    this.missed += missed.length > 0 ? 1 : 0;
    const best = asked.find((_, i) => found[i] !== undefined) ?? instant;
    vectors.set(instant.space.name, atOnce);
    const reading = { isOfSentences: !best.instant, isOfIdentifiers };
    return { known: best.knownShare(text), reading, vectors, missed };
  }

  async #vectorOf(
    embedder: QueuedEmbedder,
    text: string,
    signal: AbortSignal,
    workspace: WorkspaceId,
  ): Promise<Float32Array | undefined> {
    const key = `${embedder.space.name}/${text}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    // cache late vectors for the next query
    const made = embedder.embedQuery(text, undefined, workspace).then(
      (vector) => {
        this.#kept.set(key, vector);
        return vector;
      },
      () => undefined,
    );
    const vector = await inTime(made, signal);
    signal.throwIfAborted();
    return vector;
  }
}

/** The result; undefined on timeout or abort. */
function inTime<T>(made: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve) => {
    const settle = (value?: T) => {
      clearTimeout(late);
      signal.removeEventListener("abort", leave);
      resolve(value);
    };
    const leave = () => settle();
    const late = setTimeout(leave, MAX_WAIT_MS).unref();
    signal.addEventListener("abort", leave);
    if (signal.aborted) leave();
    void made.then(settle);
  });
}
