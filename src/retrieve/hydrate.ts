import { append } from "../base/append.ts";
import { EventLoopYielder } from "../base/event-loop.ts";
import { itemAt } from "../base/expect.ts";
import type { Entry, NodeId, NodeRecord } from "../domain/node.ts";
import { type ContextType, contextTypeOf } from "../domain/scope.ts";
import type { NamedWords } from "../domain/text/analyse.ts";
import { plainPassage } from "../domain/text/plain-passage.ts";
import { compareNames, type Path } from "../domain/uri.ts";
import { relationsOf } from "../workspace/relations/relations.ts";
import { shownLayer } from "../workspace/tree/layers.ts";
import { locate, type Owner } from "../workspace/tree/locate.ts";
import { isOwn, ownUri } from "../workspace/tree/own-path.ts";
import { hidesSessions } from "../workspace/tree/shared-meta.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type AskedOfPassage, bestPart, type ChosenChunks, chooseChunks } from "./choose-passage.ts";
import { ChunkReader, type ChunkSpan, type FoundChunk, MAX_WEIGHED_BYTES } from "./chunk-reader.ts";
import { LINES, MAX_MATCH, ShownText } from "./chunk-texts.ts";
import { explainHit, type HitExplanation, matchReason, memorySourcesOf } from "./explain.ts";
import { joinPassages } from "./join-passages.ts";
import type { PassageCache } from "./passage-cache.ts";
import type { Hit, ShownChunk } from "./view.ts";

/** Number of hits hydrated concurrently; contents in the store are returned synchronously. */
const HITS_AT_ONCE = 16;
const SUFFIXES = ["/.abstract.md", "/.overview.md", ""] as const;

/**
 * A search result as defined by the API (MatchedContext); every field except `source` and `tags` is always
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
  /** Tags of the node and of the folders above; absent if none. */
  tags?: string[];
  explain?: HitExplanation;
}

/** A hit with its texts. */
export interface Hydrated {
  readonly hit: Hit;
  readonly context: MatchedContext;
  /** The best passage of the context, for comparison with others. */
  readonly shown: ShownText;
}

const CATEGORIES: ReadonlySet<string> = new Set(["preferences", "entities", "events", "cases", "patterns"]);

/** The memory category of a path: the directory below `memories`, or the profile; otherwise "". */
export function categoryOf(path: Path): string {
  if (path[0] !== "user" && (path[0] !== "agent" || path[1] === "skills")) return "";
  if (path[2] !== "memories") return "";
  if (path[3] === "profile.md") return "profile";
  return path.length > 4 && CATEGORIES.has(itemAt(path, 3)) ? itemAt(path, 3) : "";
}

/** Maximum number of relations in a hit; GET relations lists all. */
const MAX_RELATIONS = 32;

/** Input of hydration. */
export interface Showing {
  readonly spanOf: (chunk: Pick<ShownChunk, "segment" | "doc">) => ChunkSpan | undefined;
  readonly named: NamedWords;
  readonly asked: AskedOfPassage;
  readonly passages: PassageCache;
  readonly isExplained: boolean;
  /** Returns the visible part of a node, undefined if none; by default, all of it is visible. */
  readonly narrow?: ((path: Path, entry: Entry) => Promise<Narrowed | undefined>) | undefined;
}

/** The visible part of a node, replacing its text and its stored abstract. */
export interface Narrowed {
  readonly text?: string;
  readonly abstract?: string;
}

/**
 * Adds texts, and the relations visible to `owner`, to ranked nodes. Drops nodes that were removed since the
 * ranking, or are no longer visible to the owner.
 */
export async function hydrate(
  workspace: Workspace,
  owner: Owner,
  hits: readonly Hit[],
  showing: Showing,
): Promise<Hydrated[]> {
  const reader = new NodeReader(workspace);
  const nodes = new Set(hits.map(({ node }) => node));
  // another hit is not shown as part of this one
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

interface Shown extends ChunkSpan {
  readonly node: NodeId;
  readonly match: ShownText;
  /** The matched passage joined with another passage of the same document. */
  readonly joined?: string | undefined;
  /** The passage as stored; "" unless the hit is explained. */
  readonly stored: string;
}

const NO_TEXT = new ShownText("");

/** Reads the nodes of a response, each once. */
class NodeReader {
  readonly workspace: Workspace;
  readonly paths = new Map<NodeId, Path>();
  readonly #found = new Map<NodeId, ReadNode | undefined>();

  constructor(workspace: Workspace) {
    this.workspace = workspace;
  }

  /** The node; undefined if it no longer exists. */
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
  const narrowed = showing.narrow ? await showing.narrow(path, entry) : {};
  if (!narrowed) return undefined;
  const { text } = narrowed;
  const match = text === undefined ? shown.match : bestPart(new ShownText(text, LINES), showing.asked.starts);
  const joined = text === undefined ? shown.joined : undefined;
  const isDirectory = entry.kind === "directory";
  const source = entry.source === undefined ? undefined : ownUri(workspace, owner, entry.source, paths);
  const context: MatchedContext = {
    uri: `${workspace.uris.format(path)}${SUFFIXES[hit.level]}`,
    contextType: contextTypeOf(path),
    level: hit.level,
    abstract: narrowed.abstract ?? shownLayer(workspace, owner, entry, 0) ?? "",
    overview: isDirectory ? (shownLayer(workspace, owner, entry, 1) ?? "") : "",
    score: hit.score,
    matchReason: matchReason(hit, showing.named, joined?.toLowerCase() ?? match.lower),
    match: joined ?? match.text,
    category: categoryOf(path),
    relations: await related(workspace, owner, path, showing.narrow),
  };
  if (source !== undefined) context.source = source;
  const tags = workspace.table.tagsHeldBy(shown.node, owner.access?.passed);
  if (tags.length > 0) context.tags = [...tags];
  if (showing.isExplained)
    context.explain = explainHit(
      hit,
      shown,
      hidesSessions(owner, path) ? [] : memorySourcesOf(found.record, text ?? shown.stored),
    );
  return { hit, context, shown: match };
}

/** The best passage, from the hit's node or another part of its document. */
async function passageOf(
  reader: NodeReader,
  owner: Owner,
  hit: Hit,
  showing: Showing,
): Promise<Shown | undefined> {
  const { spanOf, asked, passages, isExplained } = showing;
  const found = reader.read(hit.node);
  if (!found) return undefined;
  const own = { node: hit.node, match: NO_TEXT, stored: "", ...(spanOf(hit) ?? { start: 0, end: 0 }) };
  const { level } = hit;
  if (level !== 2) {
    const stored = shownLayer(reader.workspace, owner, found.entry, level)?.slice(own.start, own.end) ?? "";
    const plain = plainPassage(stored, { start: 0, end: stored.length }, { max: MAX_MATCH, enough: 0 });
    return { ...own, stored, match: new ShownText(plain.slice(0, MAX_MATCH)) };
  }
  const chunks = chunksOf(reader, owner, hit, spanOf);
  const texts = new ChunkReader(reader.workspace, passages);
  const [first] = chunks;
  // messages and statements are shown verbatim
  if (categoryOf(found.path) !== "") {
    const plain = first && { ...first, isMarkdown: false };
    const shown = plain && (await texts.shown(plain));
    const stored = isExplained && plain ? ((await texts.stored(plain))?.stored ?? "") : "";
    return { ...own, stored, match: shown ? bestPart(shown, asked.starts) : NO_TEXT };
  }
  const chosen: ChosenChunks<FoundChunk> | undefined =
    chunks.length > 1 ? chooseChunks(await texts.weigh(chunks), asked) : first && { best: first };
  const shown = chosen && (await texts.shown(chosen.best));
  if (!shown) return own;
  const { best, next } = chosen;
  const match = bestPart(shown, asked.starts);
  const further = next && isProse(best) && isProse(next) ? await texts.shown(next) : undefined;
  const joined =
    further &&
    next &&
    joinPassages({ text: match.text, chunk: best }, { text: further.text, chunk: next }, asked);
  const stored = isExplained ? await texts.stored(best) : undefined;
  return { node: best.node, start: best.start, end: best.end, stored: "", ...stored, match, joined };
}

/** Whether a text is for reading; source code and data are shown in one piece. */
const isProse = ({ entry }: FoundChunk): boolean =>
  entry.mime === "text/markdown" || entry.mime === "text/plain";

/** The chunks that may be shown for a hit. */
function chunksOf(
  reader: NodeReader,
  owner: Owner,
  { chunks }: Hit,
  spanOf: Showing["spanOf"],
): FoundChunk[] {
  const shown: FoundChunk[] = [];
  for (const { node, segment, doc, fused } of chunks) {
    const span = spanOf({ segment, doc });
    const found = reader.read(node);
    if (!span || !found || !isOwn(reader.workspace, owner, node, found.path)) continue;
    const { entry } = found;
    // a large file is read only for the chunk that was found
    if (entry.size > MAX_WEIGHED_BYTES && shown.length > 0) continue;
    const { start, end } = span;
    shown.push({ node, fused, start, end, entry, isMarkdown: entry.mime === "text/markdown" });
  }
  return shown;
}

async function related(
  workspace: Workspace,
  owner: Owner,
  path: Path,
  narrow: Showing["narrow"],
): Promise<MatchedContext["relations"]> {
  if (!workspace.hasRelations) return [];
  const found: MatchedContext["relations"] = [];
  for await (const { to } of relationsOf(workspace, owner, path, "out")) {
    const entry = locate(workspace.kv, workspace.keys, owner, to)?.entry;
    const narrowed = narrow && entry ? await narrow(to, entry) : {};
    if (!narrowed) continue;
    const abstract = narrowed.abstract ?? (entry && shownLayer(workspace, owner, entry, 0)) ?? "";
    found.push({ uri: workspace.uris.format(to), abstract });
    if (found.length === MAX_RELATIONS) break;
  }
  return found.sort((a, b) => compareNames(a.uri, b.uri));
}
