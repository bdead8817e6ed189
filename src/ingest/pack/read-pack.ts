import { createHash } from "node:crypto";
import type { z } from "zod";
import { EventLoopYielder } from "../../base/event-loop.ts";
import { MAX_CHUNKS_PER_FILE } from "../../domain/chunk.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { countValues } from "../../domain/text/json-values.ts";
import { fitsUri, type Path } from "../../domain/uri.ts";
import { type ArchiveMember, type FileArchive, MAX_NAMES_LENGTH, wholeOf } from "../archive.ts";
import { openZip } from "../zip.ts";
import {
  FILES,
  isVector,
  MANIFEST,
  MAX_LINE_BYTES,
  MAX_LINE_VALUES,
  MAX_MANIFEST_BYTES,
  MAX_PARSED_BYTES,
  MAX_RELATIONS,
  manifestSchema,
  NODES,
  nodeSchema,
  type PackManifest,
  type PackNode,
  type PackRelation,
  type PackVectors,
  packPath,
  RELATIONS,
  relationSchema,
  VECTORS,
  vectorsSchema,
} from "./format.ts";

export interface PackRules {
  readonly maxFiles: number;
  /** Maximum unpacked bytes of the whole pack. */
  readonly maxBytes: number;
  /** Parameter that names the pack in error messages. */
  readonly field: string;
  /** As in ArchiveLimits; also called with the memory of the largest file. */
  readonly hold?: ((bytes: number) => void) | undefined;
}

/** Memory per byte of a file that is parsed: its content and its text. */
const READ_COST = 2;
/** Number of members that are not files of the tree. */
const OTHER_MEMBERS = 4;

/** A verified pack: all content matches the manifest's hashes, and the lines form a valid tree. */
export interface Pack {
  readonly manifest: PackManifest;
  /** Node kinds by path. */
  readonly kinds: ReadonlyMap<string, PackNode["kind"]>;
  /** Nodes starting with the root; every folder precedes its contents. */
  nodes(): AsyncIterable<PackNode>;
  relations(): AsyncIterable<PackRelation>;
  /** In the order of the nodes; consecutive lines may belong to one file. */
  vectors(): AsyncIterable<PackVectors>;
  file(path: string): ArchiveMember;
  close(): Promise<void> | void;
}

/**
 * Opens and verifies a pack, with one member at a time in memory. `place`: the future path of its root.
 * Throws INVALID_ARGUMENT for an invalid pack.
 */
export async function openPack(
  path: string,
  rules: PackRules,
  placeOf: (manifest: PackManifest) => Path,
  signal: AbortSignal,
): Promise<Pack> {
  const { maxFiles, maxBytes, field, hold } = rules;
  const archive = await openZip(path, { maxFiles: maxFiles + OTHER_MEMBERS, maxBytes, field, hold });
  try {
    const reader = new Reader(archive, field);
    const manifest = await reader.manifest();
    await reader.verify(manifest, placeOf(manifest), maxFiles, signal);
    // one file at a time is read whole
    hold?.(READ_COST * reader.largest);
    return {
      manifest,
      kinds: reader.kinds,
      nodes: () => reader.lines(NODES, nodeSchema),
      relations: () => reader.lines(RELATIONS, relationSchema),
      vectors: () => reader.lines(VECTORS, vectorsSchema),
      file: (name) => reader.member(FILES + name),
      close: archive.close,
    };
  } catch (error) {
    await archive.close();
    throw error;
  }
}

class Reader {
  readonly kinds = new Map<string, PackNode["kind"]>();
  /** Size in bytes of the largest file that will be parsed. */
  largest = 0;
  readonly #archive: FileArchive;
  readonly #field: string;

  constructor(archive: FileArchive, field: string) {
    this.#archive = archive;
    this.#field = field;
  }

  async manifest(): Promise<PackManifest> {
    const member = this.member(MANIFEST);
    if (member.size > MAX_MANIFEST_BYTES) throw this.#refuse(`${MANIFEST} is too long`);
    const manifest = this.#parsed((await wholeOf(member)).toString(), manifestSchema, MANIFEST);
    if (packPath(manifest.root)?.length !== 1) throw this.#refuse("its root has no legal name");
    return manifest;
  }

  /** Parses the lines of a member, each validated by `schema`; none if the pack has no such member. */
  async *lines<T>(name: string, schema: z.ZodType<T>): AsyncGenerator<T> {
    const member = this.#archive.members.get(name);
    if (!member) return;
    const yielder = new EventLoopYielder();
    let rest = Buffer.alloc(0);
    for await (const part of member.read()) {
      rest = rest.byteLength === 0 ? Buffer.from(part) : Buffer.concat([rest, part]);
      let at = 0;
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, at)) {
        const line = rest.subarray(at, end);
        if (line.byteLength > MAX_LINE_BYTES || countValues(line) > MAX_LINE_VALUES)
          throw this.#refuse(`${name} has a line that is too long`);
        yield this.#parsed(line.toString(), schema, name);
        await yielder.yieldIfDue();
        at = end + 1;
      }
      rest = rest.subarray(at);
      if (rest.byteLength > MAX_LINE_BYTES) throw this.#refuse(`${name} has a line that is too long`);
    }
    if (rest.byteLength > 0) throw this.#refuse(`the last line of ${name} is incomplete`);
  }

  member(name: string): ArchiveMember {
    const member = this.#archive.members.get(name);
    if (!member) throw this.#refuse(`${name} is missing`);
    return member;
  }

  async verify(manifest: PackManifest, place: Path, maxFiles: number, signal: AbortSignal): Promise<void> {
    for (const name of [NODES, RELATIONS, VECTORS] as const) {
      const hash = manifest.sha256[name];
      if (hash !== undefined) await this.#checkHash(this.member(name), hash);
      else if (this.#archive.members.has(name)) throw this.#refuse(`${name} is not in the manifest`);
    }
    const found = { files: 0, directories: 0, bytes: 0 };
    let namesLength = 0;
    for await (const node of this.lines(NODES, nodeSchema)) {
      signal.throwIfAborted();
      this.#checkPlace(node, manifest.root, place);
      this.kinds.set(node.path, node.kind);
      namesLength += node.path.length;
      if (node.kind === "file") {
        found.files++;
        found.bytes += node.size;
        if (node.size <= MAX_PARSED_BYTES) this.largest = Math.max(this.largest, node.size);
        await this.#checkFile(node);
      } else found.directories++;
      if (this.kinds.size > maxFiles * 2) throw this.#refuse(`it has more than ${maxFiles} files`);
      if (namesLength > MAX_NAMES_LENGTH)
        throw this.#refuse(`its names have more than ${MAX_NAMES_LENGTH} characters in total`);
    }
    const told = [manifest.files, manifest.directories, manifest.bytes];
    const others = Object.values(manifest.sha256).filter((hash) => hash !== undefined).length + 1;
    if (told.join() !== Object.values(found).join() || this.#archive.members.size !== found.files + others)
      throw this.#refuse("its manifest does not match its contents");
    if (found.files + found.directories === 0) throw this.#refuse("it is empty");
    await this.#checkRelations(manifest);
    await this.#checkVectors(manifest);
  }

  #checkPlace({ path, kind, abstract, overview, described }: PackNode, root: string, place: Path): void {
    const names = packPath(path);
    if (!names || names[0] !== root || this.kinds.has(path))
      throw this.#refuse(`it has the invalid path ${JSON.stringify(path)}`);
    const isRoot = names.length === 1;
    if (isRoot ? this.kinds.size > 0 : this.kinds.get(names.slice(0, -1).join("/")) !== "directory")
      throw this.#refuse(`${path} comes before its parent folder`);
    const isGiven = described === true && kind === "directory";
    if ((abstract === undefined) !== (overview === undefined) && !(isGiven && overview === undefined))
      throw this.#refuse(`${path} has only one of its two layers`);
    if (!fitsUri([...place, ...names.slice(1)]))
      throw this.#refuse(`the path of ${kind} ${path} is too long below the new parent`);
  }

  async #checkFile({ path, size, sha256 }: PackNode): Promise<void> {
    const member = this.member(FILES + path);
    if (member.size !== size || sha256 === undefined)
      throw this.#refuse(`${path} does not match its size and checksum`);
    await this.#checkHash(member, sha256);
  }

  async #checkRelations(manifest: PackManifest): Promise<void> {
    let count = 0;
    for await (const { from, to } of this.lines(RELATIONS, relationSchema)) {
      if (!this.kinds.has(from) || !this.kinds.has(to) || from === to)
        throw this.#refuse(`it has an invalid link from ${from} to ${to}`);
      if (++count > MAX_RELATIONS) throw this.#refuse(`it has more than ${MAX_RELATIONS} relations`);
    }
    if (count !== manifest.relations) throw this.#refuse("its manifest does not match its contents");
  }

  /**
   * Checks the vector lines and their number per file: the vectors of one file are held in memory together.
   */
  async #checkVectors(manifest: PackManifest): Promise<void> {
    let last = "";
    let count = 0;
    for await (const { path, pieces } of this.lines(VECTORS, vectorsSchema)) {
      if (this.kinds.get(path) !== "file")
        throw this.#refuse(`${VECTORS} names ${path}, which is not a file of the pack`);
      if (!pieces.every((piece) => isVector(piece, manifest.vectors?.dimensions)))
        throw this.#refuse(`${VECTORS} has a vector that does not fit its vector space`);
      count = (path === last ? count : 0) + pieces.length;
      last = path;
      if (count > MAX_CHUNKS_PER_FILE)
        throw this.#refuse(`${VECTORS} has more than ${MAX_CHUNKS_PER_FILE} chunks of ${path}`);
    }
  }

  async #checkHash(member: ArchiveMember, hash: string): Promise<void> {
    const digest = createHash("sha256");
    for await (const part of member.read()) digest.update(part);
    if (digest.digest("hex") !== hash)
      throw this.#refuse(`${member.path.join("/")} does not match its checksum`);
  }

  #parsed<T>(text: string, schema: z.ZodType<T>, name: string): T {
    const tree = this.#json(text, name);
    const { data, success } = schema.safeParse(tree);
    if (!success) throw this.#refuse(`${name} does not match the pack formats that this version knows`);
    return data;
  }

  #json(text: string, name: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.#refuse(`${name} is not valid JSON`);
    }
  }

  #refuse(reason: string) {
    return invalidArgument(this.#field, `must be a complete, undamaged pack: ${reason}`);
  }
}
