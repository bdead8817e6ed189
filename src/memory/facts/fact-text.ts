import { factKeys } from "../memory-id.ts";
import type { FactCategory } from "./fact.ts";
import { dated, type FactFile, type FactText, factText, type KnownFact } from "./fact-file.ts";

const EARLIER = "## Earlier";
const LINE = /^[-*] (.*\S) *$/;
const DATE = / \((\d{4}-\d{2}-\d{2})\)$/;
/** Maximum lines read as facts; the rest of a longer file is ignored. */
const MAX_LINES = 2000;

/**
 * Reads the facts in a text and merges them with their known properties. Each list item is a fact; superseded
 * ones follow `## Earlier`.
 */
export function readFacts(text: string, known: FactFile | undefined, category: FactCategory): FactText {
  if (known && factText(known) === text) return { file: known, text };
  const topic = known?.topic ?? /^# (.+)$/m.exec(text)?.[1]?.trim() ?? "";
  if (category === "cases") return { file: caseIn(text, known, topic), text };
  const left = new Map<string, KnownFact[]>();
  for (const fact of [...(known?.facts ?? []), ...(known?.earlier ?? [])]) {
    const said = dated(fact).slice(2);
    const same = left.get(said);
    if (same) same.push(fact);
    else left.set(said, [fact]);
  }
  const facts: KnownFact[] = [];
  const earlier: KnownFact[] = [];
  let isEarlier = false;
  for (const line of text.split("\n", MAX_LINES)) {
    if (line.startsWith("## ")) isEarlier = line.trim() === EARLIER;
    const said = LINE.exec(line)?.[1];
    if (said === undefined) continue;
    (isEarlier ? earlier : facts).push(left.get(said)?.shift() ?? factOfLine(said));
  }
  return { file: { category, topic, facts, earlier }, text };
}

const factOfLine = (said: string): KnownFact => ({
  text: said.replace(DATE, ""),
  date: DATE.exec(said)?.[1] ?? "",
  sources: [],
});

/** Reads a case: the whole text of its file. */
function caseIn(text: string, known: FactFile | undefined, topic: string): FactFile {
  const [first] = known?.facts ?? [];
  const said = text.replace(/^# .+\n+/, "").trim();
  const fact = first ? { ...first, text: said } : { text: said, date: "", sources: [] };
  return { category: "cases", topic, facts: [fact], earlier: known?.earlier ?? [] };
}

/**
 * The text after a change of facts. An unedited text is rewritten; in an edited one, only the lines of
 * removed facts are deleted and those of new facts inserted.
 */
export function rewritten({ file, text }: FactText, after: FactFile): FactText {
  if (after.category === "cases" || factText(file) === text) return { file: after, text: factText(after) };
  let lines = sectionsOf(text);
  for (const isEarlier of [false, true]) {
    const [before, now] = isEarlier ? [file.earlier, after.earlier] : [file.facts, after.facts];
    const gone = counted(missing(before, now));
    if (gone.size > 0)
      lines = lines.filter((one) => {
        const said = one.isEarlier === isEarlier ? LINE.exec(one.line)?.[1] : undefined;
        return said === undefined || !takes(gone, `- ${said}`);
      });
    const added = missing(now, before).map((line) => ({ line, isEarlier }));
    if (added.length === 0) continue;
    if (isEarlier) lines.splice(endOfHeading(lines), 0, ...added);
    else lines.splice(endOfFacts(lines), 0, ...added);
  }
  return {
    file: after,
    text: `${lines
      .map(({ line }) => line)
      .join("\n")
      .trimEnd()}\n`,
  };
}

interface SectionLine {
  readonly line: string;
  /** Whether the line follows the heading of superseded facts. */
  readonly isEarlier: boolean;
}

function sectionsOf(text: string): SectionLine[] {
  let isEarlier = false;
  return text.split("\n").map((line) => {
    if (line.startsWith("## ")) isEarlier = line.trim() === EARLIER;
    return { line, isEarlier };
  });
}

/** The position after the last non-empty line of a current fact. */
function endOfFacts(lines: readonly SectionLine[]): number {
  let at = lines.findIndex(({ isEarlier }) => isEarlier);
  if (at < 0) at = lines.length;
  while (at > 0 && lines[at - 1]?.line.trim() === "") at--;
  return at;
}

/** The position after the heading of superseded facts, which is added if missing. */
function endOfHeading(lines: SectionLine[]): number {
  const at = lines.findIndex(({ isEarlier }) => isEarlier);
  if (at >= 0) return lines[at + 1]?.line.trim() === "" ? at + 2 : at + 1;
  while (lines.at(-1)?.line.trim() === "") lines.pop();
  for (const line of ["", EARLIER, ""]) lines.push({ line, isEarlier: true });
  return lines.length;
}

/** Lines of facts that the other list lacks, one per missing occurrence. */
function missing(facts: readonly KnownFact[], others: readonly KnownFact[]): string[] {
  const left = counted(others.map(dated));
  return facts.map(dated).filter((line) => !takes(left, line));
}

/** Occurrences per line. */
function counted(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Takes one occurrence of a line; false if none is left. */
function takes(left: Map<string, number>, line: string): boolean {
  const count = left.get(line) ?? 0;
  if (count > 0) left.set(line, count - 1);
  return count > 0;
}

/** A file without some of its facts; facts superseded by them remain superseded. */
export function withoutFacts(file: FactFile, keys: ReadonlySet<string>): FactFile {
  const all = [...file.facts, ...file.earlier];
  const known = factKeys(all);
  const gone = new Set(all.filter((_, i) => keys.has(known[i] ?? "")));
  if (gone.size === 0) return file;
  return {
    ...file,
    facts: file.facts.filter((fact) => !gone.has(fact)),
    earlier: file.earlier
      .filter((fact) => !gone.has(fact))
      .map(({ supersededBy, ...fact }) =>
        supersededBy === undefined || keys.has(supersededBy) ? fact : { ...fact, supersededBy },
      ),
  };
}
