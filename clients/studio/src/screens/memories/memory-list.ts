import type { Entry } from "../../api/filesystem.ts";
import { segmentsOf } from "../../text/uri.ts";

/** A memory in a list. */
export interface MemoryEntry {
  readonly uri: string;
  readonly category: string;
  readonly abstract: string;
  /** ISO 8601. */
  readonly changedAt: string;
}

/** Categories in display order; others follow. */
const ORDER = ["profile", "preferences", "entities", "patterns", "cases", "events"];

/**
 * The category of a memory: `profile` for …/memories/profile.md, `events` for
 * …/memories/events/<session>/01.md.
 */
function categoryOf(uri: string): string {
  const segments = segmentsOf(uri);
  const first = segments[segments.indexOf("memories") + 1] ?? "";
  return first.replace(/\.md$/, "");
}

export const memoriesOf = (entries: readonly Entry[]): MemoryEntry[] =>
  entries
    .filter(({ isDir }) => !isDir)
    .map(({ uri, abstract = "", modTime }) => ({
      uri,
      abstract,
      changedAt: modTime,
      category: categoryOf(uri),
    }));

const rank = (category: string): number =>
  ORDER.includes(category) ? ORDER.indexOf(category) : ORDER.length;

/** Categories in display order, each with its memories. */
export function byCategory(memories: readonly MemoryEntry[]): (readonly [string, MemoryEntry[]])[] {
  const groups = Map.groupBy(memories, ({ category }) => category);
  return [...groups].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** Groups memories by the local date of their last change, newest first. */
export function byDay(memories: readonly MemoryEntry[]): (readonly [string, MemoryEntry[]])[] {
  const sorted = [...memories].sort((a, b) => (a.changedAt < b.changedAt ? 1 : -1));
  return [
    ...Map.groupBy(sorted, ({ changedAt }) =>
      new Date(changedAt).toLocaleDateString(undefined, { dateStyle: "full" }),
    ),
  ];
}

/** Splits a text into current and superseded statements. */
export function withEarlier(text: string): { readonly current: string; readonly earlier: string } {
  const at = text.search(/^## Earlier\s*$/m);
  return at < 0
    ? { current: text, earlier: "" }
    : { current: text.slice(0, at).trimEnd(), earlier: text.slice(at).replace(/^## Earlier\s*/, "") };
}

/** The session of an episode: …/events/<date>-<session>/01.md. */
export const sessionOf = (uri: string): string | undefined =>
  /\/events\/\d{4}-\d\d-\d\d-([^/]+)\//.exec(uri)?.[1];
