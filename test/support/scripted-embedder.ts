import { ServiceError } from "../../src/domain/errors.ts";
import type { QueuedEmbedder } from "../../src/providers/embedding.ts";

const DIMENSIONS = 32;

/** An embedder whose vectors depend on the words of a text and whose behaviour tests can control. */
export class ScriptedEmbedder implements QueuedEmbedder {
  readonly space: { readonly name: string; readonly dimensions: number };
  readonly instant = false;
  isUsable = true;
  readonly textsPerCall = 8;
  /** Number of texts embedded so far, without queries. */
  readonly texts: string[] = [];
  /** Calls wait for this promise. */
  gate: Promise<void> = Promise.resolve();
  /** While set, queries are rejected. */
  isDeaf = false;
  /** Called before each query is answered. */
  beforeQuery: () => Promise<unknown> = async () => undefined;
  #open: () => void = () => undefined;

  constructor(name: string) {
    this.space = { name, dimensions: DIMENSIONS };
  }

  /** Makes all texts wait until `open` is called. */
  shut(): void {
    this.gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
    this.gate = Promise.resolve();
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const aborted = new Promise<never>((_, reject) =>
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true }),
    );
    aborted.catch(() => undefined);
    await Promise.race([this.gate, aborted]);
    if (!this.isUsable) throw new ServiceError("EMBEDDING_FAILED", "the model is gone");
    this.texts.push(...texts);
    return texts.map(vectorOf);
  }

  async embedQuery(text: string): Promise<Float32Array> {
    await this.beforeQuery();
    if (this.isDeaf) throw new ServiceError("UNAVAILABLE", "not now");
    return vectorOf(text);
  }

  knownShare(): number {
    return 1;
  }

  async close(): Promise<void> {}
}

/** The more words two texts share, the closer their vectors. */
function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
    vector[hash % DIMENSIONS]! += 1;
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
