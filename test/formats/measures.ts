const EDGE_LINES = 3;
const MIN_REPEATS = 3;

/** Words as they are compared: letters and digits, without marks of Markdown and hyphens at line ends. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .replace(/(\p{L})[-\u2010\u00ad]\s*\n\s*(?=\p{Ll})/gu, "$1")
      .replace(/\]\((?:[^()]|\([^()]*\))*\)/g, " ")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** Harmonic mean of the shares of words found and of words wanted, each counted as often as it stands there. */
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

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((total, count) => total + count, 0);

/** Pages of a reference tool, without lines that stand at the edges of three pages and more: running heads are no text to us. */
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
    for (const key of new Set(page.filter((_, i) => isEdge(page, i)).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  return pages.map((page) => page.filter((line, i) => !(isEdge(page, i) && counts.get(keyOf(line))! >= MIN_REPEATS)).join("\n")).join("\n");
}

/** Headings, items of lists and rows of tables of a Markdown text. */
export function structureOf(markdown: string): Readonly<Record<"headings" | "items" | "rows", number>> {
  const count = (pattern: RegExp) => markdown.match(pattern)?.length ?? 0;
  return { headings: count(/^#{1,6} \S/gm), items: count(/^\s*(?:[-*+]|\d+[.)])\s+\S/gm), rows: count(/^\|.*\|$/gm) };
}

/** Sentences out of the middle of a document: ordinary ones, and each only once. */
export function questionsOf(text: string, wanted: number): string[] {
  const plain = text.replace(/^(?:#{1,6} .*|\|.*|```[\s\S]*?```|\s*[-*+] .*)$/gm, "\n").replace(/[*_`\\]/g, "");
  const sentences = plain
    .split(/\n{2,}/)
    .flatMap((block) => block.replace(/\s+/g, " ").match(/[A-Z][^.!?|[\]<>]{60,180}[.!?](?= |$)/g) ?? []);
  const good = sentences.filter((one) => (one.match(/\b[a-z]{3,}\b/g)?.length ?? 0) >= 8 && text.split(one.slice(0, 40)).length === 2);
  const from = Math.floor(good.length * 0.3);
  const step = Math.max(1, Math.floor((good.length * 0.5) / wanted));
  return good
    .slice(from)
    .filter((_, i) => i % step === 0)
    .slice(0, wanted);
}
