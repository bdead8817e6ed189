import { KeyedLock } from "../base/keyed-lock.ts";
import { textOf } from "../domain/decode.ts";
import type { Entry, NodeId } from "../domain/node.ts";
import { type ContextType, contextTypeOf } from "../domain/scope.ts";
import { compareNames, type Path } from "../domain/uri.ts";
import { layerOf } from "../workspace/layers.ts";
import { locate, type Owner } from "../workspace/locate.ts";
import { isOwn, ownUri } from "../workspace/own-path.ts";
import { relationsOf } from "../workspace/relations.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { bestPart } from "./best-part.ts";
import { explainHit, type HitExplanation, matchReason } from "./explain.ts";
import { sourcesOf } from "./provenance.ts";
import type { Hit } from "./view.ts";

/** Characters of the best chunk that a hit shows (answers 5). */
const MAX_MATCH = 1000;
/** Larger files are found, and shown without a passage: it would cost reading all of them. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
const largeReads = new KeyedLock();
const SUFFIXES = ["/.abstract.md", "/.overview.md", ""] as const;

/** A search result as the specification describes it (MatchedContext); every key is always there but `source` (ruling Q7). */
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

/** The memory category of a place: the directory below `memories`, or the profile; "" elsewhere (ruling Q7). */
export function categoryOf(path: Path): string {
  if (path[0] !== "user" && (path[0] !== "agent" || path[1] === "skills")) return "";
  if (path[2] !== "memories") return "";
  if (path[3] === "profile.md") return "profile";
  return path.length > 4 && CATEGORIES.has(path[3]!) ? path[3]! : "";
}

/** Relations that a hit shows; all of them by GET relations. */
const MAX_RELATIONS = 32;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a search has to say of its hits. */
export interface Showing {
  readonly spanOf: (hit: Hit) => Span | undefined;
  /** Of the query. */
  readonly terms: readonly string[];
  readonly isExplained: boolean;
}

/**
 * Puts the texts to ranked nodes, and what they relate to as `owner` may see it. A node that went since the ranking, or
 * was moved out of the owner's sight, is left out.
 */
export async function hydrate(workspace: Workspace, owner: Owner, hits: readonly Hit[], showing: Showing): Promise<Hydrated[]> {
  const paths = new Map<NodeId, Path>();
  const shown = await Promise.all(
    hits.map(async (hit) => {
      const span = showing.spanOf(hit);
      const context = await hydrateOne(workspace, owner, hit, span, showing.terms, paths);
      if (!context || !showing.isExplained) return context && { hit, context };
      const explain = explainHit(hit, span, sourcesOf(workspace.entryOf(hit.node)?.record, context.match));
      return { hit, context: { ...context, explain } };
    }),
  );
  return shown.filter((hydrated) => hydrated !== undefined);
}

async function hydrateOne(
  workspace: Workspace,
  owner: Owner,
  hit: Hit,
  span: Span | undefined,
  terms: readonly string[],
  paths: Map<NodeId, Path>,
): Promise<MatchedContext | undefined> {
  const found = workspace.entryOf(hit.node);
  const path = found && workspace.pathNamedBy(found.record, paths);
  if (!path || !isOwn(workspace, owner, hit.node, path)) return undefined;
  const { entry } = found;
  const passage =
    span && (hit.level === 2 ? readPassage(workspace, entry, span) : layerOf(workspace, entry, hit.level)?.slice(span.start, span.end));
  const isDirectory = entry.kind === "directory";
  const source = entry.source === undefined ? undefined : ownUri(workspace, owner, entry.source, paths);
  const category = categoryOf(path);
  const context: MatchedContext = {
    uri: `${workspace.uris.format(path)}${SUFFIXES[hit.level]}`,
    contextType: contextTypeOf(path),
    level: hit.level,
    abstract: layerOf(workspace, entry, 0) ?? "",
    overview: isDirectory ? (layerOf(workspace, entry, 1) ?? "") : "",
    score: hit.score,
    matchReason: matchReason(hit),
    match: span ? matchOf((await passage) ?? "", category, terms) : "",
    category,
    relations: await related(workspace, owner, path),
  };
  return source === undefined ? context : { ...context, source };
}

/** Of an episode what answers the query, of anything else its beginning. */
const matchOf = (passage: string, category: string, terms: readonly string[]): string =>
  category === "events" ? bestPart(passage, terms, MAX_MATCH) : passage.slice(0, MAX_MATCH);

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

/** A passage of a file; nothing of one that is too large to be read for it. */
function readPassage(workspace: Workspace, entry: Entry, { start, end }: Span): string | undefined | Promise<string | undefined> {
  if (entry.size > MAX_READ_BYTES) return undefined;
  const content = workspace.contents.open(entry);
  if (typeof content !== "function") return textOf(content)?.slice(start, end);
  // one file of an account in memory at a time, however many hits of however many searches are in large ones
  return largeReads.run(workspace.contents.bucket, async () => {
    const passage = textOf(await content())?.slice(start, end);
    // a slice would keep the whole text
    return passage === undefined ? undefined : Buffer.from(passage).toString();
  });
}
