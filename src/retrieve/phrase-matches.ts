import { EventLoopYielder } from "../base/event-loop.ts";
import { type NodeId, nodeId } from "../domain/node.ts";
import { textOf } from "../domain/text/decode.ts";
import { phraseOf } from "../domain/text/phrase.ts";
import type { RowColumns, SegmentTables } from "../index/searchable.ts";
import { readRow } from "../index/segments/rows.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { liveRows } from "./ranking/live-rows.ts";
import type { PhraseMatches, SearchQuery, SearchView } from "./view.ts";

/** Minimum number of different terms; with fewer, too many passages match. */
const MIN_TERMS = 3;
/** Maximum number of candidate passages per segment, and of passages read in total. */
const MAX_HOLDERS = 256;
const MAX_READ = 32;
/** Maximum bytes of files read for the passages of a query; each is read once. */
const MAX_READ_BYTES = 1024 * 1024;

interface Passage {
  readonly node: NodeId;
  readonly generation: number;
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

/**
 * Reads the passages in scope that contain all terms of a query, shortest first, and returns the phrase
 * matches. If the query is not a phrase, or its terms never occur together, this costs only a lookup of the
 * rarest term.
 */
export async function findPhraseMatches(
  workspace: Workspace,
  view: Pick<SearchView, "nodes" | "scope" | "filterMasks" | "segments">,
  { text, terms }: Pick<SearchQuery, "terms"> & { readonly text: string },
  signal: AbortSignal,
): Promise<PhraseMatches> {
  const found = new Map<NodeId, { generation: number; starts: Set<number> }>();
  const distinct = [...new Set(terms)];
  const quote = distinct.length < MIN_TERMS ? undefined : phraseOf(text);
  const read = reader(workspace);
  const yielder = new EventLoopYielder(workspace.incarnation);
  for (const { node, generation, start, end } of quote ? holders(view, distinct) : []) {
    signal.throwIfAborted();
    if (!quote?.((await read(node, generation)).slice(start, end))) continue;
    const known = found.get(node);
    if (known?.generation === generation) known.starts.add(start);
    else found.set(node, { generation, starts: new Set([start]) });
    await yielder.yieldIfDue();
  }
  return found;
}

export function isPhraseMatch(
  quotes: PhraseMatches | undefined,
  documents: RowColumns,
  row: number,
): boolean {
  if (!quotes?.size) return false;
  const { node, generation, start, level } = readRow(documents, row);
  const quotedIn = quotes.get(node);
  return level === 2 && quotedIn?.generation === generation && quotedIn.starts.has(start);
}

function holders(
  { segments, ...view }: Parameters<typeof findPhraseMatches>[1],
  terms: readonly string[],
): Passage[] {
  const passages = segments.flatMap((part) => holdersIn(part, view, terms));
  return passages
    .sort((a, b) => a.length - b.length || a.node - b.node || a.start - b.start)
    .slice(0, MAX_READ);
}

function holdersIn(
  { documents, terms: lists }: SegmentTables,
  view: Pick<SearchView, "nodes" | "scope" | "filterMasks">,
  terms: readonly string[],
): Passage[] {
  const passages: Passage[] = [];
  for (const row of lists.holders(terms, liveRows(view, documents).mask, MAX_HOLDERS)) {
    const { node, level, ...passage } = readRow(documents, row);
    if (level === 2 && view.filterMasks[2][node] === 1) passages.push({ ...passage, node: nodeId(node) });
  }
  return passages;
}

/** The text of a file generation; "" if it is outdated or the read budget is used up. */
function reader(workspace: Workspace): (node: NodeId, generation: number) => Promise<string> {
  const texts = new Map<NodeId, string>();
  let left = MAX_READ_BYTES;
  return async (node, generation) => {
    const entry = workspace.entryOf(node)?.entry;
    if (entry?.generation !== generation) return "";
    const known = texts.get(node);
    if (known !== undefined) return known;
    const isReadable = entry.size <= left;
    if (isReadable) left -= entry.size;
    const text = isReadable ? (textOf(await workspace.contents.read(entry)) ?? "") : "";
    texts.set(node, text);
    return text;
  };
}
