import { append } from "../../base/append.ts";
import { lastOf, present, valueFor } from "../../base/expect.ts";
import { INSTANT_DIMENSIONS, INSTANT_SPACE } from "../../domain/chunk.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import type { NodeId } from "../../domain/node.ts";
import type { FoundSecrets } from "../../workspace/found-secrets.ts";
import type { SecretGuard } from "../../workspace/secret-guard.ts";
import type { Builder, BuiltNode, Kept, NewChunk, NewFile } from "../../workspace/tree/builder.ts";
import type { Contents } from "../../workspace/tree/contents.ts";
import { wholeOf } from "../archive.ts";
import { type FileReading, type Prepared, prepareFile } from "../prepare-file.ts";
import { screenFile } from "../screen-file.ts";
import { MAX_PARSED_BYTES, type PackNode, type PackVectors } from "./format.ts";
import type { Pack } from "./read-pack.ts";

const FIELD = "temp_path";

export interface BuildDeps extends FileReading {
  /** The account that receives the pack. */
  readonly incarnation: WorkspaceId;
  /** Creates the chunk of a directory's abstract or overview. */
  readonly layerChunk: (text: string, title: string, level: 0 | 1) => NewChunk;
  readonly contents: Contents;
  readonly clock: () => number;
  readonly secrets: SecretGuard;
  /** Receives the secrets in the pack. */
  readonly found: FoundSecrets;
}

/** A built pack, before the transaction that links its root. */
export interface BuiltPack {
  readonly root: BuiltNode;
  readonly meta: PackNode["meta"];
  /** Directories without layers in the pack. */
  readonly bare: readonly NodeId[];
  /** Releases the contents for sweeping. Call it after the linking transaction, even if that failed. */
  readonly release: () => void;
}

/**
 * Builds the content of a pack, invisible until it is linked. Only one file at a time is in memory; the
 * builder writes large amounts ahead.
 */
export async function buildPack(
  deps: BuildDeps,
  pack: Pack,
  builder: Builder,
  index: boolean,
  signal: AbortSignal,
): Promise<BuiltPack> {
  const build = new Build(deps, pack, builder, index);
  try {
    return await build.run(signal);
  } catch (error) {
    build.release();
    throw error;
  }
}

class Build {
  readonly #deps: BuildDeps;
  readonly #pack: Pack;
  readonly #builder: Builder;
  readonly #index: boolean;
  readonly #directories = new Map<string, NodeId>();
  readonly #bare: NodeId[] = [];
  readonly #releases: (() => void)[] = [];
  /** Paths of derived files. */
  readonly #made = new Set<string>();
  /** Nodes that relations refer to, by path. */
  readonly #ends = new Map<string, NodeId | undefined>();

  constructor(deps: BuildDeps, pack: Pack, builder: Builder, index: boolean) {
    this.#deps = deps;
    this.#pack = pack;
    this.#builder = builder;
    this.#index = index;
  }

  async run(signal: AbortSignal): Promise<BuiltPack> {
    for await (const { from, to } of this.#pack.relations())
      for (const end of [from, to]) this.#ends.set(end, undefined);
    const { secrets, found } = this.#deps;
    const vectors = new VectorLines(this.#pack);
    let root: { root: BuiltNode; meta: PackNode["meta"] } | undefined;
    for await (const packed of this.#pack.nodes()) {
      signal.throwIfAborted();
      const node = await this.#screened(packed);
      const names = node.path.split("/");
      const built =
        node.kind === "directory"
          ? await this.#directory(node)
          : await this.#file(node, await vectors.of(node.path));
      this.#builder.tags(built, node.tags ?? []);
      if (this.#ends.has(node.path)) this.#ends.set(node.path, built.entry.node);
      const above = this.#directories.get(names.slice(0, -1).join("/"));
      if (above === undefined) root = { root: built, meta: node.meta };
      else this.#builder.link(above, built, node.meta ? { meta: node.meta } : {});
    }
    for await (const { from, to, reason, created } of this.#pack.relations())
      await this.#builder.relation(valueFor(this.#ends, from), valueFor(this.#ends, to), {
        reason: await secrets.text(reason, { field: FIELD, shown: `relation of ${from}` }, found),
        createdAt: created,
      });
    return { ...present(root, "root in the pack"), bare: this.#bare, release: () => this.release() };
  }

  release(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  async #directory(node: PackNode): Promise<BuiltNode> {
    const name = lastOf(node.path.split("/"));
    const { layers, ...kept } = this.#kept(node);
    const chunks =
      layers?.overview !== undefined && this.#index
        ? {
            chunks: [
              this.#deps.layerChunk(layers.abstract, name, 0),
              this.#deps.layerChunk(layers.overview, name, 1),
            ],
          }
        : {};
    const brought = layers ? { layers, ...chunks, ...(node.described && { described: true }) } : {};
    const built = await this.#builder.emptyDirectory(name, undefined, !this.#index, { ...kept, ...brought });
    this.#directories.set(node.path, built.entry.node);
    if (layers?.overview === undefined) this.#bare.push(built.entry.node);
    return built;
  }

  async #file(node: PackNode, vectors: PackVectors["pieces"]): Promise<BuiltNode> {
    const prepared = node.size > MAX_PARSED_BYTES ? await this.#stored(node) : await this.#parsed(node);
    this.#releases.push(prepared.release);
    const { file } = prepared;
    // the vectors in the pack were computed from the text with its secrets
    const isSame = file.hash === node.sha256;
    const chunks = isSame ? withVectors(file.chunks, vectors) : file.chunks;
    return this.#builder.addFile({ ...file, chunks }, this.#kept(node));
  }

  /**
   * The layers and metadata to store instead of those with secrets. The content of the file is screened
   * later.
   */
  async #screened(node: PackNode): Promise<PackNode> {
    const { secrets, found } = this.#deps;
    const { abstract, overview, meta } = node;
    const place = (what: string) => ({ field: FIELD, shown: `${what} of ${node.path}` });
    const text = async (value: string | undefined, what: string) =>
      value === undefined ? undefined : secrets.text(value, place(what), found);
    return {
      ...node,
      ...(abstract !== undefined && { abstract: await text(abstract, "abstract") }),
      ...(overview !== undefined && { overview: await text(overview, "overview") }),
      ...(meta !== undefined && { meta: await secrets.json(meta, place("metadata"), found) }),
    };
  }

  async #parsed(node: PackNode): Promise<Prepared> {
    const names = node.path.split("/");
    const beside = (name: string) => [...names.slice(0, -1), name].join("/");
    const name = lastOf(names);
    const bytes = await wholeOf(this.#pack.file(node.path));
    const { secrets, found } = this.#deps;
    const screened = await screenFile(secrets, name, bytes, { field: FIELD, shown: node.path }, found);
    const prepared = await prepareFile(this.#deps, name, screened, {
      workspace: this.#deps.incarnation,
      strict: false,
      index: this.#index,
      isTaken: (name) => this.#pack.kinds.has(beside(name)) || this.#made.has(beside(name)),
    });
    for (const made of [prepared.file.text?.name, prepared.file.sections?.name])
      if (made !== undefined) this.#made.add(beside(made));
    return prepared;
  }

  async #stored(node: PackNode): Promise<Prepared> {
    const name = lastOf(node.path.split("/"));
    const { content, release } = await this.#deps.contents.storeStream(this.#pack.file(node.path).read());
    const base = {
      name,
      mime: node.mime ?? "application/octet-stream",
      size: node.size,
      hash: present(node.sha256, `checksum of ${node.path}`),
      content,
    };
    const file: NewFile = this.#index
      ? { ...base, chunks: await this.#deps.chunk("", { title: name, kind: "text" }) }
      : { ...base, chunks: [], unindexed: true };
    return { file, warnings: [], errors: [], release };
  }

  #kept({ path, created, modified, abstract, overview }: PackNode): Kept {
    const now = this.#deps.clock();
    return {
      created: Math.min(created, now),
      modified: Math.min(modified, now),
      ...(this.#ends.has(path) && { related: true }),
      ...(abstract !== undefined && { layers: { abstract, ...(overview !== undefined && { overview }) } }),
    };
  }
}

/**
 * Vectors of the current file. They are read in parallel with the nodes, in the same order; none if they
 * belong to a different vector space.
 */
class VectorLines {
  readonly #lines: AsyncIterator<PackVectors> | undefined;
  #next: PackVectors | undefined;

  constructor({ manifest, vectors }: Pack) {
    const isOurs =
      manifest.vectors?.space === INSTANT_SPACE && manifest.vectors.dimensions === INSTANT_DIMENSIONS;
    this.#lines = isOurs ? vectors()[Symbol.asyncIterator]() : undefined;
  }

  async of(path: string): Promise<PackVectors["pieces"]> {
    const pieces: PackVectors["pieces"] = [];
    for (;;) {
      this.#next ??= (await this.#lines?.next())?.value as PackVectors | undefined;
      if (this.#next?.path !== path) return pieces;
      append(pieces, this.#next.pieces);
      this.#next = undefined;
    }
  }
}

/** Adds the pack's vectors to the chunks with the same spans. */
function withVectors(chunks: readonly NewChunk[], brought: PackVectors["pieces"]): readonly NewChunk[] {
  if (brought.length === 0) return chunks;
  const known = new Map(brought.map((piece) => [`${piece.start}-${piece.end}`, piece]));
  return chunks.map((chunk) => {
    const piece = known.get(`${chunk.start}-${chunk.end}`);
    if (!piece) return chunk;
    const bytes = Buffer.from(piece.values, "base64");
    return {
      ...chunk,
      instant: {
        scale: piece.scale,
        values: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      },
    };
  });
}
