const EDGE_LINES = 3;
const MIN_REPEATS = 3;

/**
 * Normalizes words for comparison: letters and digits, without Markdown syntax, image descriptions, list
 * numbers and hyphens at line ends.
 */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .replace(/(\p{L})[-\u2010\u00ad]\s*\n\s*(?=\p{Ll})/gu, "$1")
      .replace(/^[\s>|]*\d{1,3}[.)]\s/gm, "")
      .replace(/!\[[^\]]*\]\([^()]*\)/g, " ")
      .replace(/\]\((?:[^()]|\([^()]*\))*\)/g, " ")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** Harmonic mean of the shares of found and of expected words, with repetitions counted. */
export function wordF1(text: string, reference: string): number {
  const [mine, theirs] = [counted(wordsOf(text)), counted(wordsOf(reference))];
  let common = 0;
  for (const [word, count] of mine) common += Math.min(count, theirs.get(word) ?? 0);
  const all = sum(mine) + sum(theirs);
  return all === 0 ? 1 : (2 * common) / all;
}

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0);

/** Removes lines that occur at the edges of three or more pages, since running heads do not count as text. */
export function withoutRunningHeads(text: string): string {
  const pages = text.split("\f").map((page) => page.split("\n").filter((line) => line.trim() !== ""));
  const keyOf = (line: string) =>
    line
      .trim()
      .replace(/\s+/g, " ")
      .replace(/^(?:\d+|[ivxlc]+)(?= |$)|(?<=^| )(?:\d+|[ivxlc]+)$/gi, "#");
  const counts = new Map<string, number>();
  const isEdge = (page: readonly string[], i: number) => i < EDGE_LINES || i >= page.length - EDGE_LINES;
  for (const page of pages)
    for (const key of new Set(page.filter((_, i) => isEdge(page, i)).map(keyOf)))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  return pages
    .map((page) =>
      page.filter((line, i) => !(isEdge(page, i) && counts.get(keyOf(line))! >= MIN_REPEATS)).join("\n"),
    )
    .join("\n");
}

export type Structure = Readonly<Record<"headings" | "items" | "rows", number>>;

/** Counts headings, list items and table rows of a Markdown text. */
export function structureOf(markdown: string): Structure {
  const count = (pattern: RegExp) => markdown.match(pattern)?.length ?? 0;
  const rules = count(/^\|(?: ?:?-+:? ?\|)+$/gm);
  return {
    headings: count(/^#{1,6} \S/gm),
    items: count(/^\s*(?:[-*+]|\d+[.)])\s+\S/gm),
    rows: count(/^\|.*\|$/gm) - rules,
  };
}

/** Share of the reference's items that were found; 1 if the reference has none. */
export function keptOf(ours: readonly Structure[], theirs: readonly Structure[]): number {
  let kept = 0;
  let wanted = 0;
  for (const [i, reference] of theirs.entries()) {
    for (const name of ["headings", "items", "rows"] as const) {
      kept += Math.min(ours[i]![name], reference[name]);
      wanted += reference[name];
    }
  }
  return wanted === 0 ? 1 : kept / wanted;
}
