import { EventLoopYielder } from "../base/event-loop.ts";
import { itemAt } from "../base/expect.ts";
import { type Chunk, embeddedText } from "../domain/chunk.ts";
import type { Entry, NodeId } from "../domain/node.ts";
import { quantise } from "../domain/quantise.ts";
import { textSteps } from "../domain/text/decode.ts";
import { decodeChunk } from "../index/segments/record.ts";
import type { IndexedVector } from "../index/workspace-index.ts";
import type { QueuedEmbedder } from "../providers/embedding.ts";
import { Draft } from "../storage/draft.ts";
import { holdContent } from "../workspace/tree/held-content.ts";
import { layerOf } from "../workspace/tree/layers.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Collects the chunks of a workspace without a vector in an embedder's space, and embeds them. */
export class MissingVectors {
  readonly #workspace: Workspace;
  readonly #embedder: QueuedEmbedder;
  #waiting: { readonly partition: number; readonly doc: number; readonly text: string }[] = [];
  /** Cache of the last text read: chunks of a text are consecutive. */
  #text:
    | { readonly node: NodeId; readonly generation: number; readonly level: number; readonly text: string }
    | undefined;
  #releaseText: (() => void) | undefined;
  /** Number of texts embedded so far. */
  embedded = 0;

  constructor(workspace: Workspace, embedder: QueuedEmbedder) {
    this.#workspace = workspace;
    this.#embedder = embedder;
  }

  /**
   * Collects a chunk unless it has a vector, was removed, or belongs to an outdated generation. Returns true
   * when a batch is full; then call `embedAndStoreUnsynced`. May hold a large text in memory until `release` is called.
   */
  async collectIfMissing(
    partition: number,
    doc: number,
    signal: AbortSignal,
    value = this.#workspace.kv.get(this.#workspace.keys.chunk(partition, doc)),
  ): Promise<boolean> {
    if (value === undefined || this.#workspace.index.hasVector(this.#embedder.space.name, partition, doc))
      return false;
    const chunk = decodeChunk(value);
    const whole = await this.#textOf(chunk, signal);
    if (whole === undefined) return false;
    this.#waiting.push({
      partition,
      doc,
      text: embeddedText(chunk.title ?? "", whole.slice(chunk.start, chunk.end)),
    });
    return this.#waiting.length >= this.#embedder.textsPerCall;
  }

  /** Embeds the collected chunks; write the vectors with `putVectors`. */
  async embedCollected(signal: AbortSignal): Promise<IndexedVector[]> {
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0) return [];
    const { name } = this.#embedder.space;
    const texts = batch.map(({ text }) => text);
    const vectors = await this.#embedder.embed(texts, signal, this.#workspace.incarnation);
    this.embedded += batch.length;
    return batch.map(({ partition, doc }, i) => ({
      space: name,
      partition,
      doc,
      vector: quantise(itemAt(vectors, i)),
    }));
  }

  /**
   * Embeds the collected chunks and writes the vectors without fsync: a later synced transaction makes them
   * durable, and lost ones are made again.
   */
  async embedAndStoreUnsynced(signal: AbortSignal): Promise<void> {
    const vectors = await this.embedCollected(signal);
    // this does not change the tree, so it need not wait for large tree changes
    await this.#workspace.kv.transact(
      (read) => {
        const draft = new Draft(read);
        this.#workspace.index.putVectors(draft, vectors);
        return draft.toChange(() => undefined);
      },
      { sync: false },
    );
  }

  /** Gives back the memory of the last text. */
  release(): void {
    this.#text = undefined;
    this.#releaseText?.();
    this.#releaseText = undefined;
  }

  async #contentOf(entry: Entry, signal: AbortSignal): Promise<string | undefined> {
    this.release();
    const held = await holdContent(this.#workspace, entry, signal);
    if (!held) return undefined;
    this.#releaseText = held.release;
    return new EventLoopYielder(this.#workspace.incarnation).through(textSteps(held.bytes));
  }

  async #textOf({ node, generation, level }: Chunk, signal: AbortSignal): Promise<string | undefined> {
    const known = this.#text;
    if (known?.node === node && known.generation === generation && known.level === level) return known.text;
    const entry = this.#workspace.entryOf(node)?.entry;
    if (entry?.generation !== generation) return undefined;
    const text = level === 2 ? await this.#contentOf(entry, signal) : layerOf(this.#workspace, entry, level);
    if (text !== undefined) this.#text = { node, generation, level, text };
    return text;
  }
}
