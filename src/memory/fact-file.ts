import type { Fact, FactCategory } from "./fact.ts";

/** Facts in one file, and superseded ones that are remembered; the oldest go first. */
export const MAX_FACTS = 200;
export const MAX_EARLIER = 50;
const MAX_SOURCES = 8;
const MAX_ABSTRACT_LENGTH = 200;
const MAX_OVERVIEW_LENGTH = 1500;

/** A file that was edited into something longer is left as it is. */
export const MAX_EDITED_BYTES = 512 * 1024;

/** Messages that support a fact. */
export interface FactSource {
  readonly session: string;
  readonly archive: number;
  readonly messages: readonly string[];
}

export interface KnownFact extends Pick<Fact, "text" | "slot" | "answer" | "date"> {
  readonly sources: readonly FactSource[];
  /** Names it within its file; facts of earlier versions have none (memory-id.ts). */
  readonly key?: string;
  /** Where it comes from. Default: the user. */
  readonly origin?: MemoryOrigin;
  /** Unix time in ms at which it was stored. */
  readonly stored?: number;
  /** Unix times in ms from which on, and until when, it holds. Default: from the beginning of its date. */
  readonly from?: number;
  readonly until?: number;
  /** The key of the fact that superseded it. */
  readonly supersededBy?: string;
  /** Unix time in ms at which it is deleted by itself. */
  readonly expires?: number;
}

/** Where a memory comes from, the most trusted first. */
export const MEMORY_ORIGINS = ["user", "agent", "tool", "import"] as const;
export type MemoryOrigin = (typeof MEMORY_ORIGINS)[number];

/** When a fact began to hold, as Unix time in ms. */
export const heldFrom = ({ from, date }: Pick<KnownFact, "from" | "date">): number =>
  from ?? (Date.parse(date) || 0);

/**
 * What is kept beside a file of facts: from it the text was written, and it names the messages behind each
 * line.
 */
export interface FactFile {
  readonly category: FactCategory;
  readonly topic: string;
  readonly facts: readonly KnownFact[];
  /** Superseded, the last one first. */
  readonly earlier: readonly KnownFact[];
}

export interface Merged {
  readonly file: FactFile;
  /** Facts that were not known; 0 = nothing changed. */
  readonly added: number;
}

/**
 * Brings facts of one topic into its file: what is known is no new fact, a later answer to the same question
 * supersedes the earlier one. In steps of a millisecond or less.
 */
export function* mergeSteps(file: FactFile, facts: readonly KnownFact[]): Generator<undefined, Merged> {
  let merged = file;
  let added = 0;
  for (const fact of facts) {
    yield;
    const next = mergeFact(merged, fact);
    if (next === merged) continue;
    merged = next;
    added++;
  }
  return { file: merged, added };
}

function mergeFact(file: FactFile, fact: KnownFact): FactFile {
  if (file.facts.some((known) => saysSame(known, fact))) return file;
  const isAnswered = (known: KnownFact) => fact.slot !== undefined && known.slot === fact.slot;
  const answered = file.facts.filter(isAnswered);
  // said of a time before what is known: it is history already
  const isLate = answered.some((known) => known.date > fact.date);
  if (isLate && file.earlier.some((known) => saysSame(known, fact))) return file;
  if (isLate) return { ...file, earlier: [fact, ...file.earlier].slice(0, MAX_EARLIER) };
  const facts = [
    ...file.facts.filter((known) => !isAnswered(known)),
    { ...fact, sources: fact.sources.slice(0, MAX_SOURCES) },
  ];
  const superseded = answered.map((known) => supersededBy(known, fact));
  return {
    ...file,
    facts: facts.slice(-MAX_FACTS),
    earlier: [...superseded, ...file.earlier].slice(0, MAX_EARLIER),
  };
}

/** A fact that holds no more since another one does. */
export const supersededBy = (known: KnownFact, by: KnownFact): KnownFact => ({
  ...known,
  until: Math.max(heldFrom(known), heldFrom(by)),
  ...(by.key !== undefined && { supersededBy: by.key }),
});

export function saysSame(a: KnownFact, b: KnownFact): boolean {
  if (normalText(a) === normalText(b)) return true;
  return a.answer !== undefined && a.slot !== undefined && a.slot === b.slot && a.answer === b.answer;
}

/** Letters and digits in lower case: two texts that are equal so say the same. */
export const normal = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Facts are compared with all that are new: each is made normal once. */
const normalTexts = new WeakMap<KnownFact, string>();

function normalText(fact: KnownFact): string {
  const known = normalTexts.get(fact);
  if (known !== undefined) return known;
  const made = normal(fact.text);
  normalTexts.set(fact, made);
  return made;
}

/** A fact as a line of its file. */
export const dated = ({ text, date }: Pick<KnownFact, "text" | "date">): string =>
  date === "" ? `- ${text}` : `- ${text} (${date})`;

/** Current statements of a fact file, one per line of its text; the paragraphs of a case. */
export const currentStatements = ({ facts }: FactFile): string[] => facts.map(dated);

/** The lines of a passage of a file of facts that are not superseded, and no headings. */
export function withoutSuperseded(passage: string, { category, earlier }: FactFile): string {
  if (category === "cases") return passage;
  const superseded = new Set(earlier.map(dated));
  return passage
    .split("\n")
    .filter((line) => !superseded.has(line) && !/^#{1,2} /.test(line))
    .join("\n")
    .trim();
}

/** The text of a file of facts. */
export function factText({ category, topic, facts, earlier }: FactFile): string {
  if (category === "cases")
    return `# ${topic}\n\n${facts.map(({ text, date }) => `${text}\n\n${date}`).join("\n\n")}\n`;
  const history = earlier.length === 0 ? [] : ["", "## Earlier", "", ...earlier.map(dated)];
  return `${[`# ${titleOf(category, topic)}`, "", ...facts.map(dated), ...history].join("\n")}\n`;
}

/**
 * The text of an edited file with new facts appended; the rest stays as it is. In steps of a few milliseconds
 * for texts of up to MAX_EDITED_BYTES.
 */
export function* appendSteps(
  text: string,
  facts: readonly KnownFact[],
): Generator<undefined, { text: string; added: readonly KnownFact[] }> {
  const said = normal(text);
  const added: KnownFact[] = [];
  for (const fact of facts) {
    yield;
    if (!said.includes(normal(fact.text))) added.push(fact);
  }
  return { text: added.length === 0 ? text : `${text.trimEnd()}\n${added.map(dated).join("\n")}\n`, added };
}

const titleOf = (category: FactCategory, topic: string): string =>
  category === "profile" ? "Profile" : topic;

/** L0: what is known, as far as it fits. L1: the text, as far as it fits. */
export function factLayers(file: FactFile, text: string): { abstract: string; overview: string } {
  let abstract = "";
  for (const fact of [...file.facts].reverse()) {
    const line = fact.text.replace(/\s+/g, " ");
    if (abstract !== "" && abstract.length + line.length + 2 > MAX_ABSTRACT_LENGTH) break;
    abstract += `${abstract === "" ? "" : "; "}${line}`;
  }
  return {
    abstract: cut(abstract || file.topic, MAX_ABSTRACT_LENGTH),
    overview: cut(text.trim(), MAX_OVERVIEW_LENGTH),
  };
}

const cut = (text: string, max: number): string =>
  text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .toWellFormed()
        .replaceAll("\ufffd", "")}…`;
