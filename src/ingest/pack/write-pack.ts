import { createHash } from "node:crypto";
import { itemAt, lastOf, valueFor } from "../../base/expect.ts";
import { INSTANT_DIMENSIONS, INSTANT_SPACE } from "../../domain/chunk.ts";
import type { Entry, NodeId, NodeRecord } from "../../domain/node.ts";
import { isAtOrInside, type Path } from "../../domain/uri.ts";
import { decodeChunk } from "../../index/segments/record.ts";
import { pendingLayers } from "../../jobs/pending-layers.ts";
import type { KvSnapshot } from "../../storage/kv.ts";
import { NODE_RECORDS } from "../../workspace/records.ts";
import { relationsOf } from "../../workspace/relations/relations.ts";
import { shownLayer } from "../../workspace/tree/layers.ts";
import { type Listed, listedOf } from "../../workspace/tree/listed.ts";
import { walk } from "../../workspace/tree/listing.ts";
import { entryOf, type Located, locate, type Owner } from "../../workspace/tree/locate.ts";
import { tagsOf } from "../../workspace/tree/node-tags.ts";
import { metaFor } from "../../workspace/tree/shared-meta.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type ZipInput, zipOf } from "../zip-writer.ts";
import {
  FILES,
  FORMAT,
  MANIFEST,
  NODES,
  type PackManifest,
  type PackNode,
  type PackRelation,
  type PackScope,
  type PackVectors,
  RELATIONS,
  VECTORS,
  VERSION,
} from "./format.ts";

/** Maximum number of vectors per line; a line is then about 200 kB. */
const PIECES_PER_LINE = 1000;

/** Number of files whose small contents are read together: at most 2 MiB. */
const FILES_AT_ONCE = 128;

export interface PackOptions {
  readonly path: Path;
  readonly scope: PackScope;
  readonly vectors: boolean;
}

/**
 * Streams a file, or a directory with its contents, as a pack: a snapshot of the tree when the stream starts,
 * with one file at a time in memory. Derived files are omitted, because the import creates them again.
 */
export async function* writePack(
  workspace: Workspace,
  owner: Owner,
  options: PackOptions,
): AsyncGenerator<Uint8Array> {
  const snapshot = workspace.kv.snapshot();
  try {
    const root = locate(snapshot, workspace.keys, owner, options.path);
    if (!root) throw new Error("the file or folder was removed while it was packed");
    yield* zipOf(new Writer(workspace, owner, snapshot, root, options).members());
  } finally {
    snapshot.close();
  }
}

/**
 * Whether a subtree has at most as many files as a pack may contain. Derived files do not count. Counts only
 * if the limit may be exceeded.
 */
export async function isPackable(
  workspace: Workspace,
  owner: Owner,
  root: Located,
  maxFiles: number,
): Promise<boolean> {
  if (root.kind === "file" || workspace.table.below(root.node) <= maxFiles) return true;
  let files = 0;
  for await (const item of walk(workspace, workspace.kv, owner, root, {
    levels: 0,
    showHidden: true,
    without: isLeftOut,
  }))
    if (!item.isDirectory && ++files > maxFiles) return false;
  return true;
}

/** Whether an entry is not packed: derived files, and files rendered from records. */
const isLeftOut = (item: Listed): boolean =>
  item.entry?.source !== undefined || (!item.isDirectory && !item.entry);

interface Packed {
  readonly item: Listed;
  /** Path that starts with the root's name. */
  readonly path: string;
}

class Writer {
  readonly #workspace: Workspace;
  readonly #owner: Owner;
  readonly #snapshot: KvSnapshot;
  readonly #root: Located;
  readonly #options: PackOptions;
  readonly #counts = { files: 0, directories: 0, bytes: 0, relations: 0 };
  readonly #hashes = new Map<string, string>();

  constructor(workspace: Workspace, owner: Owner, snapshot: KvSnapshot, root: Located, options: PackOptions) {
    this.#workspace = workspace;
    this.#owner = owner;
    this.#snapshot = snapshot;
    this.#root = root;
    this.#options = options;
  }

  /** The manifest comes last, because it contains the hashes of the other members. */
  async *members(): AsyncGenerator<ZipInput> {
    const modified = this.#workspace.clock();
    const lines = (name: string, of: () => AsyncIterable<object>): ZipInput => ({
      name,
      modified,
      read: () => this.#lines(name, of()),
    });
    yield lines(NODES, () => this.#nodes());
    let files: Packed[] = [];
    for await (const packed of this.#items()) {
      if (packed.item.isDirectory || files.push(packed) < FILES_AT_ONCE) continue;
      yield* this.#files(files);
      files = [];
    }
    yield* this.#files(files);
    yield lines(RELATIONS, () => this.#relations());
    if (this.#options.vectors) yield lines(VECTORS, () => this.#vectors());
    const manifest = Buffer.from(`${JSON.stringify(this.#manifest(modified), null, 2)}\n`);
    yield {
      name: MANIFEST,
      modified,
      read: async function* () {
        yield manifest;
      },
    };
  }

  async *#files(files: readonly Packed[]): AsyncGenerator<ZipInput> {
    const { contents } = this.#workspace;
    const small = await contents.inlineOf(
      files.map(({ item }) => entryOf(item)),
      this.#snapshot,
    );
    for (const [i, { item, path }] of files.entries()) {
      const read = () => small[i] ?? contents.stream(entryOf(item), 0, item.size, this.#snapshot);
      yield { name: FILES + path, modified: item.modified, size: item.size, read };
    }
  }

  #manifest(now: number): PackManifest {
    const hashOf = (name: string) => valueFor(this.#hashes, name);
    const vectors = this.#options.vectors;
    return {
      format: FORMAT,
      version: VERSION,
      scope: this.#options.scope,
      root: lastOf(this.#root.path),
      ...this.#counts,
      created_at: new Date(now).toISOString(),
      sha256: {
        [NODES]: hashOf(NODES),
        [RELATIONS]: hashOf(RELATIONS),
        ...(vectors && { [VECTORS]: hashOf(VECTORS) }),
      },
      ...(vectors && { vectors: { space: INSTANT_SPACE, dimensions: INSTANT_DIMENSIONS } }),
    };
  }

  async *#lines(name: string, objects: AsyncIterable<object>): AsyncGenerator<Uint8Array> {
    const digest = createHash("sha256");
    for await (const object of objects) {
      const line = Buffer.from(`${JSON.stringify(object)}\n`);
      digest.update(line);
      yield line;
    }
    this.#hashes.set(name, digest.digest("hex"));
  }

  async *#items(): AsyncGenerator<Packed> {
    const above = this.#root.path.length - 1;
    yield { item: listedOf(this.#workspace, this.#root), path: itemAt(this.#root.path, above) };
    if (this.#root.kind === "file") return;
    const below = walk(this.#workspace, this.#snapshot, this.#owner, this.#root, {
      levels: 0,
      showHidden: true,
      without: isLeftOut,
    });
    for await (const item of below) yield { item, path: item.path.slice(above).join("/") };
  }

  /** Outdated layers are omitted unless a caller gave them: the import creates them again. */
  async *#nodes(): AsyncGenerator<PackNode> {
    const outdated = await this.#outdated();
    for await (const { item, path } of this.#items()) {
      const { entry } = item;
      const overview = entry && !outdated.has(entry.node) ? this.#layerOf(entry, 1) : undefined;
      const abstract =
        entry && (entry.described || overview !== undefined) ? this.#layerOf(entry, 0) : undefined;
      const { meta, tags = [] } = entry ? this.#recordsOf(entry.node, item.path) : {};
      if (item.isDirectory) this.#counts.directories++;
      else this.#counts.files++;
      this.#counts.bytes += item.size;
      yield {
        path,
        kind: item.isDirectory ? "directory" : "file",
        size: item.size,
        ...(entry?.hash !== undefined && { sha256: entry.hash }),
        ...(entry?.mime !== undefined && { mime: entry.mime }),
        created: item.created,
        modified: item.modified,
        ...(abstract !== undefined && { abstract, ...(overview !== undefined && { overview }) }),
        ...(entry?.described && { described: true as const }),
        ...(tags.length > 0 && { tags }),
        ...(meta && { meta: { ...meta } }),
      };
    }
  }

  /**
   * Metadata and tags of a node; none for a folder that is visible only because it contains readable entries.
   */
  #recordsOf(node: NodeId, path: Path): { readonly meta?: NodeRecord["meta"]; readonly tags?: string[] } {
    if (this.#owner.access?.passed.has(node)) return {};
    const { keys } = this.#workspace;
    const record = NODE_RECORDS.read(this.#snapshot, keys.node(node));
    const meta = metaFor(this.#owner, path, record?.meta);
    return { ...(meta && { meta }), tags: [...tagsOf(this.#snapshot, keys, node)] };
  }

  #layerOf(entry: Entry, level: 0 | 1): string | undefined {
    return shownLayer(this.#workspace, this.#owner, entry, level, this.#snapshot);
  }

  async #outdated(): Promise<ReadonlySet<NodeId>> {
    const { table, incarnation } = this.#workspace;
    const nodes = new Set<NodeId>();
    for (const pending of await pendingLayers(this.#snapshot, incarnation))
      for (let node = pending; node > 0 && !nodes.has(node); node = table.parentOf(node)) nodes.add(node);
    return nodes;
  }

  /** Relations with both ends in the pack. */
  async *#relations(): AsyncGenerator<PackRelation> {
    const above = this.#root.path.length - 1;
    for await (const { item, path } of this.#items()) {
      if (!item.entry?.related) continue;
      for await (const { to, reason, createdAt } of relationsOf(
        this.#workspace,
        this.#owner,
        item.path,
        "out",
      )) {
        const end = isAtOrInside(to, this.#root.path)
          ? locate(this.#snapshot, this.#workspace.keys, this.#owner, to)
          : undefined;
        if (!end?.entry || this.#isMade(end)) continue;
        this.#counts.relations++;
        yield { from: path, to: to.slice(above).join("/"), reason, created: createdAt };
      }
    }
  }

  /** Whether a path belongs to a derived file. */
  #isMade({ path }: Located): boolean {
    for (let depth = this.#root.path.length; depth <= path.length; depth++) {
      const at = locate(this.#snapshot, this.#workspace.keys, this.#owner, path.slice(0, depth));
      if (at?.entry?.source !== undefined) return true;
    }
    return false;
  }

  async *#vectors(): AsyncGenerator<PackVectors> {
    const { keys } = this.#workspace;
    for await (const { item, path } of this.#items()) {
      const { partition, first, count } = (!item.isDirectory && item.entry?.chunks) || {
        partition: 0,
        first: 0,
        count: 0,
      };
      for (let from = first; from < first + count; from += PIECES_PER_LINE) {
        const to = Math.min(from + PIECES_PER_LINE, first + count);
        const range = {
          gte: keys.chunk(partition, from),
          lt: keys.chunk(partition, to),
          limit: PIECES_PER_LINE,
        };
        const pieces = (await this.#snapshot.range(range)).map(([, value]) => {
          const { start, end, instant } = decodeChunk(value);
          const values = Buffer.from(
            instant.values.buffer,
            instant.values.byteOffset,
            instant.values.byteLength,
          );
          return { start, end, scale: instant.scale, values: values.toString("base64") };
        });
        yield { path, pieces };
      }
    }
  }
}
