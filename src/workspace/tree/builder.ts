import { append } from "../../base/append.ts";
import type { Chunk } from "../../domain/chunk.ts";
import {
  type Authorship,
  type ChunkRange,
  type Entry,
  type NodeId,
  type NodeRecord,
  nodeId,
} from "../../domain/node.ts";
import type { QuantisedVector } from "../../domain/quantise.ts";
import { prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { type DeadProperty, type RelationRecord, STAGES, type StageRecord } from "../records.ts";
import { relateNodes, unrelateNodes } from "../relations/records.ts";
import type { Workspace } from "../workspace.ts";
import { nodeFacts, type WorkspaceDraft } from "../workspace-draft.ts";
import type { StoredContent } from "./contents.ts";
import { dropTexts } from "./layers.ts";
import { putProperties } from "./node-properties.ts";

/**
 * Bytes of chunks and contents above which a change is written ahead in several transactions, invisible until
 * the last.
 */
const BATCH_BYTES = 512 * 1024;
/** Maximum number of steps of a batch: each reads and replaces records, and they run in one stretch. */
const BATCH_STEPS = 500;
/** Bytes counted per term, because each term takes time to apply. */
const TERM_BYTES = 20;
/**
 * Overhead counted per written file, in bytes. Without it, thousands of small files would form one long
 * transaction.
 */
const CONTENT_BYTES = 400;
/** Number of nodes of an unfinished builder whose records are removed per transaction. */
const CLEARED_AT_ONCE = 64;
const ENTRIES_CLEARED_AT_ONCE = 1000;

/** A chunk whose node generation is not known yet. */
export type NewChunk = Omit<Chunk, "node" | "generation">;

/** A chunk, with its vector in the main space if it has one. */
export interface CopiedChunk {
  readonly chunk: NewChunk;
  readonly main?: QuantisedVector | undefined;
}

/** The chunks of a copied text, read one at a time. */
export interface CopiedChunks extends AsyncIterable<CopiedChunk> {
  readonly length: number;
}

export interface NewFile {
  readonly name: string;
  readonly mime: string;
  readonly size: number;
  readonly hash: string;
  readonly content: StoredContent;
  readonly chunks: readonly NewChunk[];
  readonly unindexed?: boolean;
  /** Derived nodes: text (converted formats) and sections (long documents). */
  readonly text?: NewFile;
  readonly sections?: NewDirectory;
}

export interface NewDirectory {
  readonly name: string;
  readonly files: readonly NewFile[];
  readonly directories: readonly NewDirectory[];
}

/** A file or directory whose records are written, but without a reachable entry. */
export interface BuiltNode {
  readonly name: string;
  readonly entry: Entry;
  readonly text?: BuiltNode;
  readonly sections?: BuiltNode;
}

/**
 * Properties that are otherwise initialised or generated: times, flags, layers (only the abstract for a
 * `described` directory).
 */
export interface Kept extends Partial<Pick<Entry, "created" | "modified" | "described" | "related">> {
  readonly layers?: { readonly abstract: string; readonly overview?: string };
  /** Chunks of a directory's layers. */
  readonly chunks?: readonly NewChunk[];
  /** Chunks of a directory's layers or of a file, copied from another node. */
  readonly copied?: CopiedChunks | undefined;
}

const nothingNoted = (): StageRecord => ({ nodes: [], versions: [], chunks: [], relations: [] });

type Step = (draft: WorkspaceDraft) => void;

/**
 * Writes the contents, chunks and inner entries of files that no entry reaches yet. Small changes are
 * committed with the linking change; large ones are written ahead in batches, recorded under `z/` for cleanup
 * (storage.md section 3).
 */
export class Builder {
  /** Files built without layers, including derived ones. */
  readonly versions: [node: NodeId, generation: number, bytes: number][] = [];
  /** Nodes with new chunks, and the number of chunks. */
  readonly indexed: [node: NodeId, chunks: number][] = [];
  readonly #workspace: Workspace;
  readonly #partition: number;
  readonly #author: Pick<Entry, "by" | "change"> | undefined;
  #steps: Step[] = [];
  #bytes = 0;
  #stage: number | undefined;
  #staged = 0;
  #noted = nothingNoted();

  /** `author`: author of the built files; undefined for the server's own content. */
  constructor(workspace: Workspace, partition: number, author?: Authorship) {
    this.#workspace = workspace;
    this.#partition = partition;
    this.#author = author && {
      ...(author.by !== undefined && { by: author.by }),
      change: author.change,
    };
  }

  /** Builds a new file, or a new generation of `node`. */
  async addFile(
    file: NewFile,
    options: Kept & { readonly node?: NodeId; readonly source?: NodeId } = {},
  ): Promise<BuiltNode> {
    const { generations } = this.#workspace;
    const node = options.node ?? (await this.#newNode());
    const generation = await generations.reserve();
    this.#noted.versions.push([node, generation]);
    if (options.layers) this.#layers(node, generation, options.layers);
    else this.versions.push([node, generation, file.size]);
    this.#add(
      (draft) => this.#workspace.contents.put(draft, node, generation, file.content),
      CONTENT_BYTES + ("inline" in file.content ? file.content.inline.byteLength : 0),
    );
    const chunks = options.copied
      ? await this.#copied(node, generation, options.copied)
      : await this.chunks(node, generation, file.chunks);
    const now = this.#workspace.clock();
    const entry: Entry = {
      node,
      kind: "file",
      generation,
      size: file.size,
      created: options.created ?? now,
      modified: options.modified ?? now,
      mime: file.mime,
      hash: file.hash,
      ...(options.related && { related: true }),
      ...(chunks && { chunks }),
      ...(options.source !== undefined && { source: options.source }),
      ...(file.unindexed && { unindexed: true }),
      ...(options.source === undefined && this.#author),
    };
    const text = file.text && (await this.addFile(file.text, { source: node }));
    const sections = file.sections && (await this.directory(file.sections, node, file.unindexed));
    await this.#room();
    return { name: file.name, entry, ...(text && { text }), ...(sections && { sections }) };
  }

  /** Builds a new directory with everything below it. */
  async directory(directory: NewDirectory, source?: NodeId, unindexed = false): Promise<BuiltNode> {
    const built = await this.emptyDirectory(directory.name, source, unindexed);
    for (const file of directory.files)
      this.link(built.entry.node, await this.addFile(file, source === undefined ? {} : { source }));
    for (const inner of directory.directories)
      this.link(built.entry.node, await this.directory(inner, source, unindexed));
    return built;
  }

  async emptyDirectory(
    name: string,
    source?: NodeId,
    unindexed = false,
    kept: Kept = {},
  ): Promise<BuiltNode> {
    const { layers, chunks, copied, ...facts } = kept;
    const node = await this.#newNode();
    const generation = await this.#workspace.generations.reserve();
    const now = this.#workspace.clock();
    if (layers) {
      this.#noted.versions.push([node, generation]);
      this.#layers(node, generation, layers);
    }
    const range = copied
      ? await this.#copied(node, generation, copied)
      : chunks && (await this.chunks(node, generation, chunks));
    await this.#room();
    const entry: Entry = {
      node,
      kind: "directory",
      generation,
      size: 0,
      created: now,
      modified: now,
      ...(source !== undefined && { source }),
      ...(unindexed && { unindexed }),
      ...facts,
      ...(layers?.overview !== undefined && { layered: true }),
      ...(range && { chunks: range }),
    };
    return { name, entry };
  }

  /** Adds a built node to a directory under construction, in which its names must be free. */
  link(directory: NodeId, built: BuiltNode, record: Omit<NodeRecord, "directory" | "name"> = {}): void {
    const parts = [built, ...(built.text ? [built.text] : []), ...(built.sections ? [built.sections] : [])];
    const derived = {
      ...(built.text && { text: built.text.entry.node }),
      ...(built.sections && { sections: built.sections.entry.node }),
    };
    for (const part of parts) {
      const extra = part === built ? { ...record, ...((built.text || built.sections) && { derived }) } : {};
      const node = encodeRecord({ directory, name: part.name, ...extra });
      this.#add((draft) => {
        draft.put(draft.keys.entry(directory, part.name), encodeRecord(part.entry));
        draft.put(draft.keys.node(part.entry.node), node);
        draft.facts.push({ put: nodeFacts(directory, part.name, part.entry) });
      }, 400 + node.byteLength);
    }
  }

  /** Sets the properties of a node under construction. */
  properties(node: NodeId, properties: readonly DeadProperty[]): void {
    if (properties.length > 0)
      this.#add((draft) => putProperties(draft, node, properties), JSON.stringify(properties).length);
  }

  /** Sets the tags of a node under construction and of its derived nodes. */
  tags({ entry, text, sections }: BuiltNode, tags: readonly string[]): void {
    if (tags.length === 0) return;
    for (const node of [entry.node, text?.entry.node, sections?.entry.node])
      if (node !== undefined) this.#add((draft) => draft.putTags(node, tags), JSON.stringify(tags).length);
  }

  /** Adds a relation between two nodes under construction, and marks both as related. */
  async relation(from: NodeId, to: NodeId, record: RelationRecord): Promise<void> {
    this.#noted.relations.push([from, to]);
    this.#add((draft) => relateNodes(draft, from, to, record), 200 + record.reason.length);
    await this.#room();
  }

  /** Writes the chunks of a node generation; returns their range. */
  async chunks(
    node: NodeId,
    generation: number,
    chunks: readonly NewChunk[],
  ): Promise<ChunkRange | undefined> {
    if (chunks.length === 0) return undefined;
    const range = await this.#reserveChunks(chunks.length);
    this.indexed.push([node, chunks.length]);
    for (const [i, chunk] of chunks.entries())
      await this.#chunk(range, range.first + i, { ...chunk, node, generation });
    return range;
  }

  /** Like `chunks`; adds the node to `indexed` only if main vectors are missing. */
  async #copied(node: NodeId, generation: number, chunks: CopiedChunks): Promise<ChunkRange | undefined> {
    if (chunks.length === 0) return undefined;
    const range = await this.#reserveChunks(chunks.length);
    let doc = range.first;
    let lacking = 0;
    for await (const { chunk, main } of chunks) {
      if (!main) lacking++;
      await this.#chunk(range, doc++, { ...chunk, node, generation }, main);
    }
    if (doc !== range.first + range.count) throw new Error(`node ${node} got ${doc - range.first} chunks`);
    if (lacking > 0) this.indexed.push([node, lacking]);
    return range;
  }

  async #reserveChunks(count: number): Promise<ChunkRange> {
    const partition = this.#partition;
    const range = { partition, first: await this.#workspace.index.reserve(partition, count), count };
    this.#noted.chunks.push(range);
    return range;
  }

  async #chunk({ partition }: ChunkRange, doc: number, chunk: Chunk, main?: QuantisedVector): Promise<void> {
    const { index } = this.#workspace;
    const indexed = { partition, doc, chunk };
    this.#add(
      (draft) => {
        index.putRecord(draft, indexed);
        draft.chunks.push(indexed);
        if (!main || index.mainSpace === undefined) return;
        const vector = { space: index.mainSpace, partition, doc, vector: main };
        index.putVectorOf(draft, vector);
        draft.vectors.push(vector);
      },
      200 + chunk.terms.size * TERM_BYTES + (main?.values.length ?? 0),
    );
    await this.#room();
  }

  /** Writes collected records ahead if there are many. Call this between files. */
  async #room(): Promise<void> {
    if (this.#bytes < BATCH_BYTES && this.#steps.length < BATCH_STEPS) return;
    this.#stage ??= await this.#workspace.stages.reserve();
    const steps = this.#steps;
    const key = this.#workspace.keys.stage(this.#stage, this.#staged++);
    const noted = this.#noted;
    this.#steps = [];
    this.#bytes = 0;
    this.#noted = nothingNoted();
    await this.#workspace.transact((draft) => {
      draft.put(key, encodeRecord(noted));
      for (const step of steps) step(draft);
      return () => undefined;
    });
  }

  /**
   * Adds the remaining records to the linking transaction, and removes the cleanup record. May run again if
   * the transaction is retried.
   */
  putRest(draft: WorkspaceDraft): void {
    for (const step of this.#steps) step(draft);
    const stage = this.#stage;
    if (stage === undefined) return;
    for (let part = 0; part < this.#staged; part++) draft.delete(draft.keys.stage(stage, part));
  }

  /** Removes what was written ahead after the linking transaction has failed permanently. */
  async abandon(): Promise<void> {
    if (this.#stage !== undefined)
      await clearStages(this.#workspace.forServer, this.#workspace.keys.stageParts(this.#stage));
  }

  #layers(node: NodeId, generation: number, { abstract, overview }: NonNullable<Kept["layers"]>): void {
    this.#add(
      (draft) => {
        draft.put(draft.keys.layer(node, generation, 0), Buffer.from(abstract));
        if (overview !== undefined) draft.put(draft.keys.layer(node, generation, 1), Buffer.from(overview));
      },
      200 + abstract.length + (overview?.length ?? 0),
    );
  }

  async #newNode(): Promise<NodeId> {
    const node = nodeId(await this.#workspace.nodes.reserve());
    this.#noted.nodes.push(node);
    return node;
  }

  #add(step: Step, bytes: number): void {
    this.#steps.push(step);
    this.#bytes += bytes;
  }
}

/**
 * Removes everything written by unfinished builders: those under `prefix`, by default all of an earlier
 * process.
 */
export async function clearStages(workspace: Workspace, prefix = workspace.keys.allStages()): Promise<void> {
  for (const [key, value] of await workspace.kv.range(prefixRange(prefix))) {
    const noted = STAGES.decode(value, key);
    for (const range of noted.chunks) await change(workspace, (draft) => draft.dropChunks(range));
    for (const [from, to] of noted.relations)
      await change(workspace, (draft) => unrelateNodes(draft, from, to));
    for (let at = 0; at < noted.versions.length; at += CLEARED_AT_ONCE)
      await change(workspace, (draft) => {
        for (const [node, generation] of noted.versions.slice(at, at + CLEARED_AT_ONCE))
          dropTexts(draft, workspace, node, generation);
      });
    for (let at = 0; at < noted.nodes.length; at += CLEARED_AT_ONCE)
      await clearNodes(workspace, noted.nodes.slice(at, at + CLEARED_AT_ONCE));
    await change(workspace, (draft) => draft.delete(key));
  }
}

/** Removes the records of nodes that were never linked, and the entries in them. */
async function clearNodes(workspace: Workspace, nodes: readonly NodeId[]): Promise<void> {
  const inner: string[] = [];
  for (const node of nodes) append(inner, await workspace.kv.keys(prefixRange(workspace.keys.entries(node))));
  for (let at = 0; at < inner.length; at += ENTRIES_CLEARED_AT_ONCE)
    await change(workspace, (draft) => {
      for (const key of inner.slice(at, at + ENTRIES_CLEARED_AT_ONCE)) draft.delete(key);
    });
  await change(workspace, (draft) => {
    for (const node of nodes) {
      draft.delete(draft.keys.node(node));
      draft.delete(draft.keys.properties(node));
      draft.putTags(node, []);
      draft.facts.push({ cut: node });
    }
  });
}

const change = (workspace: Workspace, step: Step): Promise<void> =>
  workspace.transact((draft) => {
    step(draft);
    return () => undefined;
  });
