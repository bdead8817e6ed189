import type { WorkspaceId } from "../domain/ids.ts";
import type { NodeId } from "../domain/node.ts";
import type { ShownText, WeighedText } from "./chunk-texts.ts";

/** Maximum memory in bytes for passages of all accounts. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Maximum share of the memory for one file. */
const FILE_SHARE = 1 / 16;
/** Estimated bytes of a map entry with its key. */
const OVERHEAD = 120;

/**
 * Identifies a chunk by its position in a content. Contents never change: a changed file has a new
 * generation, and numbers of workspaces, nodes and generations are never reused.
 */
export interface ChunkPlace {
  readonly workspace: WorkspaceId;
  readonly node: NodeId;
  readonly generation: number;
  readonly start: number;
  readonly end: number;
  /** Whether it is shown without Markdown markup. */
  readonly isMarkdown: boolean;
}

/** The texts of one generation of a file. */
class FileTexts {
  readonly generation: number;
  bytes = OVERHEAD;
  /** Whether it was used since it was last considered for eviction. */
  isUsed = false;
  readonly weighed = new Map<number, WeighedText>();
  readonly shown = new Map<number, ShownText>();

  constructor(generation: number) {
    this.generation = generation;
  }
}

/** Greater than any position in a displayed text, so that two positions fit into one number. */
const MAX_PLACE = 2 ** 25;

const spanOf = ({ start, end }: ChunkPlace): number => start * MAX_PLACE + end;
const shownSpan = (place: ChunkPlace): number => 2 * spanOf(place) + (place.isMarkdown ? 1 : 0);

/**
 * Caches data computed for chunks of earlier hits, within a memory limit, so that a hit neither reads its
 * file nor cleans its text. Evicts files that have not been used recently. Must be notified with `drop` when
 * content is removed from the store, so that no text outlives its content.
 */
export class PassageCache {
  readonly #maxBytes: number;
  /** In eviction order. */
  readonly #files = new Map<string, FileTexts>();
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  weighed(place: ChunkPlace): WeighedText | undefined {
    return this.#fileOf(place)?.weighed.get(spanOf(place));
  }

  shown(place: ChunkPlace): ShownText | undefined {
    return this.#fileOf(place)?.shown.get(shownSpan(place));
  }

  /** Call this only in the turn in which the content was found to be still stored. */
  keepWeighed(place: ChunkPlace, text: WeighedText): void {
    this.#roomFor(place, text.bytes)?.weighed.set(spanOf(place), text);
  }

  /** Call this only in the turn in which the content was found to be still stored. */
  keepShown(place: ChunkPlace, text: ShownText, bytes: number): void {
    this.#roomFor(place, bytes)?.shown.set(shownSpan(place), text);
  }

  /** Drops the texts of a generation whose content is no longer stored. */
  drop(workspace: WorkspaceId, node: NodeId, generation: number): void {
    const key = keyOf(workspace, node);
    if (this.#files.get(key)?.generation === generation) this.#remove(key);
  }

  /** Drops all texts of a workspace that was closed permanently. */
  dropAll(workspace: WorkspaceId): void {
    const prefix = keyOf(workspace, "");
    for (const key of this.#files.keys()) if (key.startsWith(prefix)) this.#remove(key);
  }

  #fileOf({ workspace, node, generation }: ChunkPlace): FileTexts | undefined {
    const file = this.#files.get(keyOf(workspace, node));
    if (file?.generation !== generation) return undefined;
    file.isUsed = true;
    return file;
  }

  /** The file's texts, with room for `textBytes` more; undefined if the text is too large. */
  #roomFor(place: ChunkPlace, textBytes: number): FileTexts | undefined {
    const bytes = textBytes + OVERHEAD;
    const maxBytes = this.#maxBytes * FILE_SHARE;
    if (bytes + OVERHEAD > maxBytes) return undefined;
    const key = keyOf(place.workspace, place.node);
    let file = this.#fileOf(place);
    if (!file || file.bytes + bytes > maxBytes) {
      this.#remove(key);
      file = new FileTexts(place.generation);
      this.#files.set(key, file);
      this.#bytes += file.bytes;
    }
    file.bytes += bytes;
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) this.#evict();
    return file;
  }

  /** Gives a used file a second chance; marking it is cheaper than moving it on each use. */
  #evict(): void {
    for (const [key, file] of this.#files) {
      if (this.#bytes <= this.#maxBytes) return;
      const { isUsed } = file;
      file.isUsed = false;
      if (isUsed) {
        this.#files.delete(key);
        this.#files.set(key, file);
      } else this.#remove(key);
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#files.get(key)?.bytes ?? 0;
    this.#files.delete(key);
  }
}

const keyOf = (workspace: WorkspaceId, node: NodeId | ""): string => `${workspace}/${node}`;
