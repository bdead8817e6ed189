import { lastOf, present, valueFor } from "../../base/expect.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { Entry, NodeId, NodeRecord } from "../../domain/node.ts";
import { isHidden } from "../../domain/scope.ts";
import { fitsUri, type Path } from "../../domain/uri.ts";
import { decodeChunk, decodeVector } from "../../index/segments/record.ts";
import { type KvSnapshot, pairPages, prefixRange } from "../../storage/kv.ts";
import { ENTRIES, NODE_RECORDS } from "../records.ts";
import { relationsOf } from "../relations/relations.ts";
import type { Workspace } from "../workspace.ts";
import type { Builder, BuiltNode, CopiedChunk, CopiedChunks, Kept } from "./builder.ts";
import { layerOf } from "./layers.ts";
import { entryOf, type Located, locate, type Owner } from "./locate.ts";
import { propertiesOf } from "./node-properties.ts";
import { tagsOf } from "./node-tags.ts";
import { metaFor } from "./shared-meta.ts";

/** Number of entries and of chunks read at once. */
const ENTRIES_PER_PAGE = 500;
const CHUNKS_PER_PAGE = 200;

export interface CopySource {
  /** Snapshot to copy from. */
  readonly snapshot: KvSnapshot;
  /** The file or directory to copy, in the snapshot. */
  readonly from: Located;
  readonly to: Path;
  readonly owner: Owner;
  /** Nodes in the snapshot whose layers pending jobs will rebuild. */
  readonly pending: ReadonlySet<NodeId>;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/** A copy whose root is not linked yet. */
export interface BuiltCopy {
  readonly root: BuiltNode;
  readonly meta: NodeRecord["meta"];
  /** Directories whose layers are missing or outdated. */
  readonly bare: readonly NodeId[];
  /** Number of visible files and directories. */
  readonly count: number;
  /** Releases the contents for sweeping. Call it after the linking transaction, even if that failed. */
  readonly release: () => void;
}

/**
 * Builds a copy of a file or directory, invisible until it is linked: new nodes with the same contents,
 * layers, chunks, vectors, properties and tags, and the relations between them. Contents above INLINE_BYTES
 * are shared. Versions and usage are not copied. Throws INVALID_ARGUMENT if a URI would be too long.
 */
export async function buildCopy(
  workspace: Workspace,
  builder: Builder,
  source: CopySource,
): Promise<BuiltCopy> {
  const copy = new Copy(workspace, builder, source);
  try {
    return await copy.run();
  } catch (error) {
    copy.release();
    throw error;
  }
}

/** A node of the source with its new path. */
interface Item {
  readonly path: Path;
  readonly entry: Entry;
  /** Whether the item or a directory above it is hidden. */
  readonly isHidden: boolean;
  /** The copy of the file from which it is derived. */
  readonly source?: NodeId | undefined;
}

class Copy {
  readonly #workspace: Workspace;
  readonly #builder: Builder;
  readonly #source: CopySource;
  readonly #bare: NodeId[] = [];
  readonly #releases: (() => void)[] = [];
  /** Copies of nodes that relations refer to, with their paths in the source. */
  readonly #ends = new Map<NodeId, { readonly copy: NodeId; readonly path: Path }>();
  #done = 0;
  #visible = 0;

  constructor(workspace: Workspace, builder: Builder, source: CopySource) {
    this.#workspace = workspace;
    this.#builder = builder;
    this.#source = source;
  }

  async run(): Promise<BuiltCopy> {
    const { from, to } = this.#source;
    const entry = entryOf(from);
    const root = await this.#node({ path: to, entry, isHidden: false });
    await this.#relations();
    return {
      root,
      meta: this.#metaOf(entry.node),
      bare: this.#bare,
      count: this.#visible,
      release: () => this.release(),
    };
  }

  release(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  async #node(item: Item): Promise<BuiltNode> {
    const { snapshot, signal, onProgress, from, to } = this.#source;
    signal.throwIfAborted();
    if (!fitsUri(item.path))
      throw invalidArgument(
        "to_uri",
        `the URI of ${item.path.slice(to.length - 1).join("/")} would be too long`,
      );
    if (!item.isHidden) this.#visible++;
    const built = item.entry.kind === "file" ? await this.#file(item) : await this.#directory(item);
    if (item.entry.related)
      this.#ends.set(item.entry.node, {
        copy: built.entry.node,
        path: [...from.path, ...item.path.slice(to.length)],
      });
    const { keys } = this.#workspace;
    this.#builder.properties(built.entry.node, propertiesOf(snapshot, keys, item.entry.node));
    this.#builder.tags(built, tagsOf(snapshot, keys, item.entry.node));
    onProgress(++this.#done);
    return built;
  }

  async #file(item: Item): Promise<BuiltNode> {
    const { entry, source } = item;
    const { contents } = this.#workspace;
    const { snapshot } = this.#source;
    const { content, release } = contents.share(entry, snapshot);
    if ("blob" in content) this.#releases.push(release);
    const { layers, ...kept } = this.#kept(entry);
    const isMade = layers?.overview !== undefined && !this.#source.pending.has(entry.node);
    const built = await this.#builder.addFile(
      {
        name: lastOf(item.path),
        mime: entry.mime ?? "application/octet-stream",
        size: entry.size,
        hash: entry.hash ?? contents.hashOf(entry, snapshot),
        content,
        chunks: [],
        ...(entry.unindexed && { unindexed: true }),
      },
      { ...kept, ...(isMade && { layers }), ...(source !== undefined && { source }) },
    );
    const { text, sections } = this.#recordOf(entry.node).derived ?? {};
    const made = built.entry.node;
    return {
      ...built,
      ...(text !== undefined && { text: await this.#derived(text, item, made) }),
      ...(sections !== undefined && { sections: await this.#derived(sections, item, made) }),
    };
  }

  /** Copies a node derived from a file, which lies beside the file. */
  #derived(node: NodeId, { path, isHidden: isBelowHidden }: Item, source: NodeId): Promise<BuiltNode> {
    const { snapshot } = this.#source;
    const { directory, name } = this.#recordOf(node);
    const entry = present(
      ENTRIES.read(snapshot, this.#workspace.keys.entry(directory, name)),
      `entry of the derived node ${node}`,
    );
    const beside = [...path.slice(0, -1), name];
    return this.#node({ path: beside, entry, isHidden: isBelowHidden || isHidden(name), source });
  }

  async #directory(item: Item): Promise<BuiltNode> {
    const { entry, source } = item;
    const { snapshot, pending } = this.#source;
    const kept = this.#kept(entry);
    const built = await this.#builder.emptyDirectory(lastOf(item.path), source, entry.unindexed ?? false, {
      ...kept,
      ...(entry.described && { described: true }),
    });
    const directory = built.entry.node;
    if (kept.layers?.overview === undefined || pending.has(entry.node)) this.#bare.push(directory);
    const prefix = this.#workspace.keys.entries(entry.node);
    for await (const page of pairPages(snapshot, prefixRange(prefix, ENTRIES_PER_PAGE)))
      for (const [key, value] of page) {
        const inner = ENTRIES.decode(value, key);
        // derived nodes are copied with their file
        if (inner.source !== undefined && source === undefined) continue;
        const name = key.slice(prefix.length);
        const child = await this.#node({
          path: [...item.path, name],
          entry: inner,
          isHidden: item.isHidden || isHidden(name),
          source,
        });
        const meta = this.#metaOf(inner.node);
        this.#builder.link(directory, child, meta ? { meta } : {});
      }
    return built;
  }

  #kept(entry: Entry): Kept {
    const { snapshot } = this.#source;
    const abstract = layerOf(this.#workspace, entry, 0, snapshot);
    const overview = layerOf(this.#workspace, entry, 1, snapshot);
    return {
      ...(abstract !== undefined && { layers: { abstract, ...(overview !== undefined && { overview }) } }),
      ...(entry.related && { related: true }),
      ...(entry.chunks && { copied: this.#chunks(entry) }),
    };
  }

  #chunks({ chunks }: Entry): CopiedChunks {
    const range = present(chunks, "chunks of the entry");
    return { length: range.count, [Symbol.asyncIterator]: () => this.#readChunks(range) };
  }

  async *#readChunks({ partition, first, count }: NonNullable<Entry["chunks"]>): AsyncGenerator<CopiedChunk> {
    const { keys, index } = this.#workspace;
    const { snapshot } = this.#source;
    const space = index.mainSpace;
    for (let at = first; at < first + count; at += CHUNKS_PER_PAGE) {
      const end = Math.min(at + CHUNKS_PER_PAGE, first + count);
      const range = {
        gte: keys.chunk(partition, at),
        lt: keys.chunk(partition, end),
        limit: CHUNKS_PER_PAGE,
      };
      const vectors =
        space === undefined
          ? new Map<string, Uint8Array>()
          : new Map(
              await snapshot.range({
                ...range,
                gte: keys.vector(space, partition, at),
                lt: keys.vector(space, partition, end),
              }),
            );
      const records = new Map(await snapshot.range(range));
      for (let doc = at; doc < end; doc++) {
        const {
          node: _,
          generation: __,
          ...chunk
        } = decodeChunk(valueFor(records, keys.chunk(partition, doc)));
        const vector = space === undefined ? undefined : vectors.get(keys.vector(space, partition, doc));
        yield { chunk, main: vector && decodeVector(vector) };
      }
    }
  }

  /** Copies the relations whose two ends are both in the copy. */
  async #relations(): Promise<void> {
    const { snapshot, owner } = this.#source;
    const { keys } = this.#workspace;
    for (const { copy, path } of this.#ends.values())
      for await (const { to, reason, createdAt } of relationsOf(this.#workspace, owner, path, "out")) {
        const node = locate(snapshot, keys, owner, to)?.node;
        const end = node === undefined ? undefined : this.#ends.get(node)?.copy;
        if (end !== undefined) await this.#builder.relation(copy, end, { reason, createdAt });
      }
  }

  #metaOf(node: NodeId): NodeRecord["meta"] {
    const { owner, from } = this.#source;
    return metaFor(owner, from.path, this.#recordOf(node).meta);
  }

  #recordOf(node: NodeId): NodeRecord {
    const record = NODE_RECORDS.read(this.#source.snapshot, this.#workspace.keys.node(node));
    return present(record, `record of node ${node}`);
  }
}
