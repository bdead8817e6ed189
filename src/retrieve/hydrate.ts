import { append } from "../base/append.ts";
import { EventLoopYielder } from "../base/event-loop.ts";
import { itemAt } from "../base/expect.ts";
import { KeyedLock } from "../base/keyed-lock.ts";
import type { Entry, NodeId, NodeRecord } from "../domain/node.ts";
import { type ContextType, contextTypeOf } from "../domain/scope.ts";
import type { NamedWords } from "../domain/text/analyse.ts";
import { textOf } from "../domain/text/decode.ts";
import { plainPassage } from "../domain/text/plain-passage.ts";
import { compareNames, type Path } from "../domain/uri.ts";
import { relationsOf } from "../workspace/relations/relations.ts";
import { layerOf } from "../workspace/tree/layers.ts";
import { locate, type Owner } from "../workspace/tree/locate.ts";
import { isOwn, ownUri } from "../workspace/tree/own-path.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { bestPart } from "./best-part.ts";
import { type AskedOfPassage, choosePassage, MAX_MATCH, type ReadChunk } from "./choose-passage.ts";
import { explainHit, type HitExplanation, matchReason } from "./explain.ts";
import { memorySourcesOf } from "./provenance.ts";
import type { Hit, ShownChunk } from "./view.ts";

/** Larger files are shown without a passage: it would cost reading all of them. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
/** Above this size only the passage is read, without its surroundings. */
const MAX_WEIGHED_BYTES = 256 * 1024;
const largeReads = new KeyedLock();
/** Hits whose texts are read concurrently: contents in the store are returned synchronously. */
const HITS_AT_ONCE = 16;
const SUFFIXES = ["/.abstract.md", "/.overview.md", ""] as const;

/**
 * A search result in the form of the specification (MatchedContext); every key but `source` is always
 * present.
 */
export interface MatchedContext {
  uri: string;
  contextType: ContextType;
  level: number;
  abstract: string;
  overview: string;
  score: number;
  matchReason: string;
  match: string;
  category: string;
  relations: { uri: string; abstract: string }[];
  source?: string;
  explain?: HitExplanation;
}

/** A hit with its texts. */
export interface Hydrated {
  readonly hit: Hit;
  readonly context: MatchedContext;
}

const CATEGORIES: ReadonlySet<string> = new Set(["preferences", "entities", "events", "cases", "patterns"]);

/** The memory category of a path: the directory below `memories`, or the profile; otherwise "". */
export function categoryOf(path: Path): string {
  if (path[0] !== "user" && (path[0] !== "agent" || path[1] === "skills")) return "";
  if (path[2] !== "memories") return "";
  if (path[3] === "profile.md") return "profile";
  return path.length > 4 && CATEGORIES.has(itemAt(path, 3)) ? itemAt(path, 3) : "";
}

/** Limit of relations in a hit; GET relations lists all of them. */
const MAX_RELATIONS = 32;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Input of hydration. */
export interface Showing {
  readonly spanOf: (chunk: Pick<ShownChunk, "segment" | "doc">) => Span | undefined;
  readonly named: NamedWords;
  readonly asked: AskedOfPassage;
  readonly isExplained: boolean;
}

/**
 * Adds the texts and the relations that `owner` may see to ranked nodes. A node that was removed since the
 * ranking, or moved out of the owner's sight, is left out.
 */
export async function hydrate(
  workspace: Workspace,
  owner: Owner,
  hits: readonly Hit[],
  showing: Showing,
): Promise<Hydrated[]> {
  const reader = new NodeReader(workspace);
  const nodes = new Set(hits.map(({ node }) => node));
  // another hit is not shown as a part of this one
  const free = (hit: Hit): Hit => {
    const isFree = ({ node }: ShownChunk) => node === hit.node || !nodes.has(node);
    return hit.chunks.every(isFree) ? hit : { ...hit, chunks: hit.chunks.filter(isFree) };
  };
  const yielder = new EventLoopYielder(workspace.incarnation);
  const shown: (Hydrated | undefined)[] = [];
  for (let at = 0; at < hits.length; at += HITS_AT_ONCE) {
    const some = hits.slice(at, at + HITS_AT_ONCE);
    append(shown, await Promise.all(some.map((hit) => hydrateOne(reader, owner, free(hit), showing))));
    await yielder.yieldIfDue();
  }
  return shown.filter((hydrated) => hydrated !== undefined);
}

interface Shown extends Span {
  readonly node: NodeId;
  readonly match: string;
  /** The passage as stored. */
  readonly stored: string;
}

/** Reads the nodes of one answer, each once. */
class NodeReader {
  readonly workspace: Workspace;
  readonly paths = new Map<NodeId, Path>();
  readonly #found = new Map<NodeId, ReadNode | undefined>();

  constructor(workspace: Workspace) {
    this.workspace = workspace;
  }

  /** The node; undefined if it is gone. */
  read(node: NodeId): ReadNode | undefined {
    if (this.#found.has(node)) return this.#found.get(node);
    const found = this.workspace.entryOf(node);
    const path = found && this.workspace.pathNamedBy(found.record, this.paths);
    const read = path && { record: found.record, entry: found.entry, path };
    this.#found.set(node, read);
    return read;
  }
}

interface ReadNode {
  readonly record: NodeRecord;
  readonly entry: Entry;
  readonly path: Path;
}

async function hydrateOne(
  reader: NodeReader,
  owner: Owner,
  hit: Hit,
  showing: Showing,
): Promise<Hydrated | undefined> {
  const { workspace, paths } = reader;
  const shown = await passageOf(reader, owner, hit, showing);
  const found = shown && reader.read(shown.node);
  if (!found || !isOwn(workspace, owner, shown.node, found.path)) return undefined;
  const { entry, path } = found;
  const isDirectory = entry.kind === "directory";
  const source = entry.source === undefined ? undefined : ownUri(workspace, owner, entry.source, paths);
  const context: MatchedContext = {
    uri: `${workspace.uris.format(path)}${SUFFIXES[hit.level]}`,
    contextType: contextTypeOf(path),
    level: hit.level,
    abstract: layerOf(workspace, entry, 0) ?? "",
    overview: isDirectory ? (layerOf(workspace, entry, 1) ?? "") : "",
    score: hit.score,
    matchReason: matchReason(hit, showing.named, shown.match),
    match: shown.match,
    category: categoryOf(path),
    relations: await related(workspace, owner, path),
  };
  if (source !== undefined) context.source = source;
  if (showing.isExplained)
    context.explain = explainHit(hit, shown, memorySourcesOf(found.record, shown.stored));
  return { hit, context };
}

/** The passage that answers, from the hit's node or another part of its document. */
async function passageOf(
  reader: NodeReader,
  owner: Owner,
  hit: Hit,
  { spanOf, asked }: Showing,
): Promise<Shown | undefined> {
  const found = reader.read(hit.node);
  if (!found) return undefined;
  const own = { node: hit.node, match: "", stored: "", ...(spanOf(hit) ?? { start: 0, end: 0 }) };
  const { level } = hit;
  if (level !== 2) {
    const stored = layerOf(reader.workspace, found.entry, level)?.slice(own.start, own.end) ?? "";
    return {
      ...own,
      stored,
      match: plainPassage(stored, { start: 0, end: stored.length }, { max: MAX_MATCH, enough: 0 }).slice(
        0,
        MAX_MATCH,
      ),
    };
  }
  const chunks = await readChunks(reader, owner, hit, spanOf);
  const [first] = chunks;
  // messages and statements are shown verbatim
  if (categoryOf(found.path) !== "") {
    const stored = first?.text?.slice(first.start, first.end) ?? "";
    return { ...own, stored, match: bestPart(stored, asked.starts, MAX_MATCH) };
  }
  const chosen = choosePassage(chunks, asked);
  if (!chosen) return own;
  const { node, start, end, text } = chosen.chunk;
  return { node, start, end, match: chosen.match, stored: text?.slice(start, end) ?? "" };
}

async function readChunks(
  reader: NodeReader,
  owner: Owner,
  { chunks }: Hit,
  spanOf: Showing["spanOf"],
): Promise<ReadChunk[]> {
  const { workspace } = reader;
  const texts = new Map<NodeId, string | undefined>();
  const read: ReadChunk[] = [];
  for (const chunk of chunks) {
    const span = spanOf(chunk);
    const found = reader.read(chunk.node);
    if (!span || !found || !isOwn(workspace, owner, chunk.node, found.path)) continue;
    const { size, mime } = found.entry;
    // of a large file only the found passage is read
    if (size > MAX_WEIGHED_BYTES && read.length > 0) continue;
    if (!texts.has(chunk.node)) texts.set(chunk.node, await readText(workspace, found.entry, span));
    const text = texts.get(chunk.node);
    const isMarkdown = mime === "text/markdown";
    const { node, segment, doc, fused } = chunk;
    const { start, end } = size > MAX_WEIGHED_BYTES ? { start: 0, end: text?.length ?? 0 } : span;
    read.push({ node, segment, doc, fused, start, end, text, isMarkdown });
  }
  return read;
}

async function related(workspace: Workspace, owner: Owner, path: Path): Promise<MatchedContext["relations"]> {
  if (!workspace.hasRelations) return [];
  const found: MatchedContext["relations"] = [];
  for await (const { to } of relationsOf(workspace, owner, path, "out")) {
    const entry = locate(workspace.kv, workspace.keys, owner, to)?.entry;
    found.push({ uri: workspace.uris.format(to), abstract: (entry && layerOf(workspace, entry, 0)) ?? "" });
    if (found.length === MAX_RELATIONS) break;
  }
  return found.sort((a, b) => compareNames(a.uri, b.uri));
}

/** The text of a file; of a large one only the passage; "" if it is too large. */
function readText(
  workspace: Workspace,
  entry: Entry,
  { start, end }: Span,
): string | undefined | Promise<string | undefined> {
  if (entry.size > MAX_READ_BYTES) return undefined;
  const content = workspace.contents.open(entry);
  if (entry.size <= MAX_WEIGHED_BYTES && typeof content !== "function") return textOf(content);
  // one large file of an account in memory at a time, for all concurrent searches
  return largeReads.run(workspace.contents.bucket, async () => {
    const text = textOf(typeof content === "function" ? await content() : content);
    if (entry.size <= MAX_WEIGHED_BYTES) return text;
    const passage = text?.slice(start, end);
    // a slice would retain the whole text
    return passage === undefined ? undefined : Buffer.from(passage).toString();
  });
}
