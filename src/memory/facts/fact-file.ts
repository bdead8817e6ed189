import type { MemoryOrigin } from "../utterance.ts";
import type { Fact, FactCategory } from "./fact.ts";

/** Maximum number of current facts and of superseded facts per file; the oldest are dropped. */
export const MAX_FACTS = 200;
export const MAX_EARLIER = 50;
const MAX_ABSTRACT_LENGTH = 200;
const MAX_OVERVIEW_LENGTH = 1500;

/** Maximum size in bytes of an edited file for changing it. */
export const MAX_EDITED_BYTES = 512 * 1024;

/** Messages that support a fact. */
export interface FactSource {
  readonly session: string;
  readonly archive: number;
  readonly messages: readonly string[];
}

export interface KnownFact extends Pick<Fact, "text" | "slot" | "answer" | "date"> {
  readonly sources: readonly FactSource[];
  /** Identifies the fact within its file; absent for facts of earlier versions (memory-id.ts). */
  readonly key?: string;
  /** Origin of the fact; default: the user. */
  readonly origin?: MemoryOrigin;
  /** Time of storage, Unix time in ms. */
  readonly stored?: number;
  /** Time of the statement, Unix time in ms; default: the beginning of its date. */
  readonly said?: number;
  /** Validity period, Unix time in ms; by default it starts at the beginning of the date. */
  readonly from?: number;
  readonly until?: number;
  /** Key of the fact that superseded this one. */
  readonly supersededBy?: string;
  /** Expiry, Unix time in ms. */
  readonly expires?: number;
}

/** Start of a fact's validity, Unix time in ms. */
export const heldFrom = ({ from, date }: Pick<KnownFact, "from" | "date">): number =>
  from ?? (Date.parse(date) || 0);

/** The record of a fact file, from which its text is written, with the source messages of each line. */
export interface FactFile {
  readonly category: FactCategory;
  readonly topic: string;
  readonly facts: readonly KnownFact[];
  /** Superseded facts, latest first. */
  readonly earlier: readonly KnownFact[];
}

/** A fact file with its text, which takes precedence because it may have been edited. */
export interface FactText {
  readonly file: FactFile;
  readonly text: string;
}

/** Reduces a text to lower-case letters and digits; equal results mean the same statement. */
export const normal = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Formats a fact as a line of its file. */
export const dated = ({ text, date }: Pick<KnownFact, "text" | "date">): string =>
  date === "" ? `- ${text}` : `- ${text} (${date})`;

/** Current statements of a fact file: one per line; for a case, its paragraphs. */
export const currentStatements = ({ facts }: FactFile): string[] => facts.map(dated);

/** The current lines of a passage of a fact file, without headings. */
export function withoutSuperseded(passage: string, { category, earlier }: FactFile): string {
  if (category === "cases") return passage;
  const superseded = new Set(earlier.map(dated));
  return passage
    .split("\n")
    .filter((line) => !superseded.has(line) && !/^#{1,2} /.test(line))
    .join("\n")
    .trim();
}

export function factText({ category, topic, facts, earlier }: FactFile): string {
  if (category === "cases")
    return `# ${topic}\n\n${facts.map(({ text, date }) => `${text}\n\n${date}`).join("\n\n")}\n`;
  const history = earlier.length === 0 ? [] : ["", "## Earlier", "", ...earlier.map(dated)];
  return `${[`# ${titleOf(category, topic)}`, "", ...facts.map(dated), ...history].join("\n")}\n`;
}

/**
 * Appends new facts to an edited file; the rest is unchanged. Runs in steps of a few milliseconds for texts
 * up to MAX_EDITED_BYTES.
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

/** L0: as many statements as fit. L1: as much of the text as fits. */
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
