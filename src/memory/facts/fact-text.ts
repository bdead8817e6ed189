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
  const left = [...(known?.facts ?? []), ...(known?.earlier ?? [])].map((fact) => ({
    fact,
    said: dated(fact).slice(2),
  }));
  const facts: KnownFact[] = [];
  const earlier: KnownFact[] = [];
  let isEarlier = false;
  for (const line of text.split("\n").slice(0, MAX_LINES)) {
    if (line.startsWith("## ")) isEarlier = line.trim() === EARLIER;
    const said = LINE.exec(line)?.[1];
    if (said === undefined) continue;
    const at = left.findIndex((one) => one.said === said);
    const [found] = at < 0 ? [] : left.splice(at, 1);
    (isEarlier ? earlier : facts).push(found?.fact ?? factOfLine(said));
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
  const lines = sectionsOf(text);
  for (const isEarlier of [false, true]) {
    const [before, now] = isEarlier ? [file.earlier, after.earlier] : [file.facts, after.facts];
    for (const line of missing(before, now)) {
      const at = lines.findIndex(
        (one) => one.isEarlier === isEarlier && LINE.exec(one.line)?.[1] === line.slice(2),
      );
      if (at >= 0) lines.splice(at, 1);
    }
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
  const left = others.map(dated);
  return facts.map(dated).filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
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
