import { KeyedLock } from "../base/concurrency/keyed-lock.ts";
import { EventLoopYielder } from "../base/event-loop.ts";
import type { Entry, NodeId } from "../domain/node.ts";
import { textOf, textSteps } from "../domain/text/decode.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { readable, type WeighedChunk } from "./choose-passage.ts";
import { ShownText, WeighedText } from "./chunk-texts.ts";
import type { ChunkPlace, PassageCache } from "./passage-cache.ts";
import type { ShownChunk } from "./view.ts";

/** Maximum size in bytes of a file for showing a passage, because the whole file is read. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
/**
 * Maximum size in bytes of a file whose whole text is kept for its chunks; of a larger one, only the passage.
 */
export const MAX_WEIGHED_BYTES = 256 * 1024;
const largeReads = new KeyedLock();

export interface ChunkSpan {
  readonly start: number;
  readonly end: number;
}

/** A chunk and the file that contains it. */
export interface FoundChunk extends Pick<ShownChunk, "node" | "fused">, ChunkSpan {
  readonly entry: Entry;
  readonly isMarkdown: boolean;
}

/** Reads the texts of a hit's chunks: from the cache, or each file once. */
export class ChunkReader {
  readonly #workspace: Workspace;
  readonly #passages: PassageCache;
  readonly #files = new Map<NodeId, string | undefined>();

  constructor(workspace: Workspace, passages: PassageCache) {
    this.#workspace = workspace;
    this.#passages = passages;
  }

  async weigh(chunks: readonly FoundChunk[]): Promise<(FoundChunk & WeighedChunk)[]> {
    const weighed: (FoundChunk & WeighedChunk)[] = [];
    for (const chunk of chunks) {
      const known = this.#passages.weighed(this.#placeOf(chunk));
      weighed.push({ ...chunk, weighed: known ?? (await this.#weighedAnew(chunk)) });
    }
    return weighed;
  }

  /** A chunk as readable text; undefined if it cannot be read. */
  async shown(chunk: FoundChunk): Promise<ShownText | undefined> {
    return this.#passages.shown(this.#placeOf(chunk)) ?? this.#shownAnew(chunk);
  }

  /** A chunk as stored, and its position in the text that was read. */
  async stored(chunk: FoundChunk): Promise<(ChunkSpan & { readonly stored: string }) | undefined> {
    const read = await this.#read(chunk);
    return read && { start: read.start, end: read.end, stored: read.text.slice(read.start, read.end) };
  }

  async #weighedAnew(chunk: FoundChunk): Promise<WeighedText | undefined> {
    const read = await this.#read(chunk);
    if (!read) return undefined;
    const text = new WeighedText(read.text.slice(read.start, read.end));
    if (this.#isStored(chunk)) this.#passages.keepWeighed(this.#placeOf(chunk), text);
    return text;
  }

  async #shownAnew(chunk: FoundChunk): Promise<ShownText | undefined> {
    const read = await this.#read(chunk);
    if (!read) return undefined;
    const place = this.#placeOf(chunk);
    const weighed = this.#passages.weighed(place);
    const text = ShownText.keptOf(readable(read.text, read.start, read.end, chunk.isMarkdown), weighed);
    if (this.#isStored(chunk)) this.#passages.keepShown(place, text, text.bytesBeside(weighed));
    return text;
  }

  /** The text around a chunk; undefined if it cannot be read. For a large file, only the chunk. */
  async #read(chunk: FoundChunk): Promise<(ChunkSpan & { readonly text: string }) | undefined> {
    const { node, start, end, entry } = chunk;
    if (!this.#files.has(node)) this.#files.set(node, await readText(this.#workspace, entry, chunk));
    const text = this.#files.get(node);
    if (text === undefined) return undefined;
    return entry.size > MAX_WEIGHED_BYTES ? { text, start: 0, end: text.length } : { text, start, end };
  }

  /** Whether the content was neither replaced nor removed while it was read. */
  #isStored({ node, entry }: FoundChunk): boolean {
    const stored = this.#workspace.isClosed ? undefined : this.#workspace.entryOf(node);
    return stored?.entry.generation === entry.generation;
  }

  #placeOf({ node, start, end, entry, isMarkdown }: FoundChunk): ChunkPlace {
    const { incarnation } = this.#workspace;
    return { workspace: incarnation, node, generation: entry.generation, start, end, isMarkdown };
  }
}

/** The text of a file, or of a large file only the passage; undefined if it is too large or not text. */
function readText(
  workspace: Workspace,
  entry: Entry,
  { start, end }: ChunkSpan,
): string | undefined | Promise<string | undefined> {
  if (entry.size > MAX_READ_BYTES) return undefined;
  const content = workspace.contents.open(entry);
  if (entry.size <= MAX_WEIGHED_BYTES && typeof content !== "function") return textOf(content);
  // one large file per account in memory, over all concurrent searches
  return largeReads.run(workspace.contents.bucket, async () => {
    const bytes = typeof content === "function" ? await content() : content;
    const text = await new EventLoopYielder(workspace.incarnation).through(textSteps(bytes));
    if (entry.size <= MAX_WEIGHED_BYTES) return text;
    const passage = text?.slice(start, end);
    // copy, because a slice would retain the whole text
    return passage === undefined ? undefined : Buffer.from(passage).toString();
  });
}
