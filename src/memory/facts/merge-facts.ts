import type { Fact } from "./fact.ts";
import { type FactFile, heldFrom, type KnownFact, MAX_EARLIER, MAX_FACTS, normal } from "./fact-file.ts";
import type { FactKind } from "./fact-kind.ts";
import { ofKind } from "./facts-of-kind.ts";

/** Maximum number of messages recorded as sources of a fact. */
const MAX_SOURCES = 8;

export interface Merged {
  readonly file: FactFile;
  /** Number of new facts; 0 if nothing changed. */
  readonly added: number;
}

/** A fact to be stored, and the facts that it replaces. */
export type NewFact = KnownFact & Pick<Fact, "replaces" | "ends">;

/**
 * Merges facts of one topic into its file: skips known facts; a later answer to the same question, or a
 * change of the same kind of fact, supersedes the earlier one. Runs in steps of at most a millisecond.
 */
export function* mergeSteps(file: FactFile, facts: readonly NewFact[]): Generator<undefined, Merged> {
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

function mergeFact(given: FactFile, { replaces, ends, ...fact }: NewFact): FactFile {
  const left = ends === undefined ? given : withoutEnded(given, ends, fact);
  const file = replaces === undefined ? left : withoutKind(left, replaces, fact);
  if (file.facts.some((known) => saysSame(known, fact))) return file;
  const isAnswered = (known: KnownFact) => isSameQuestion(known, fact);
  const answered = file.facts.filter(isAnswered);
  // the fact is older than a known one, so it is already superseded
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

/**
 * Supersedes the facts of a kind that a change replaces, if they were stated before it. The change itself may
 * be in another file, so its key is not recorded.
 */
export function withoutKind(file: FactFile, kind: FactKind, { key: _, ...by }: KnownFact): FactFile {
  // without source messages, it is unknown which facts are older
  if (by.sources.length === 0) return file;
  const sources = new Set(by.sources.flatMap(({ messages }) => messages));
  const isOlder = (known: KnownFact): boolean =>
    known.date <= by.date &&
    (known.said ?? 0) <= (by.said ?? Number.POSITIVE_INFINITY) &&
    !saysSame(known, by) &&
    !known.sources.some(({ messages }) => messages.some((message) => sources.has(message)));
  return withoutReplaced(file, new Set(ofKind(kind, file.facts.filter(isOlder))), by);
}

/** Supersedes the facts that a change names by their texts. */
export function withoutEnded(
  file: FactFile,
  ends: readonly string[],
  { key: _, ...by }: KnownFact,
): FactFile {
  const ended = file.facts.filter((known) => ends.includes(known.text) && known.date <= by.date);
  return withoutReplaced(file, new Set(ended), by);
}

function withoutReplaced(file: FactFile, replaced: ReadonlySet<KnownFact>, by: KnownFact): FactFile {
  if (replaced.size === 0) return file;
  return {
    ...file,
    facts: file.facts.filter((known) => !replaced.has(known)),
    earlier: [...[...replaced].map((known) => supersededBy(known, by)), ...file.earlier].slice(
      0,
      MAX_EARLIER,
    ),
  };
}

/** Marks a fact as superseded by another. */
export const supersededBy = (known: KnownFact, by: KnownFact): KnownFact => ({
  ...known,
  until: Math.max(heldFrom(known), heldFrom(by)),
  ...(by.key !== undefined && { supersededBy: by.key }),
});

export function saysSame(a: KnownFact, b: KnownFact): boolean {
  if (normalText(a) === normalText(b)) return true;
  return a.answer !== undefined && a.answer === b.answer && isSameQuestion(a, b);
}

/** Whether two facts answer the same question; ignores case, and the plural "s" in counts and attitudes. */
function isSameQuestion(a: KnownFact, b: KnownFact): boolean {
  if (a.slot === undefined || b.slot === undefined) return false;
  return a.slot === b.slot || questionOf(a.slot) === questionOf(b.slot);
}

const questionOf = (slot: string): string => {
  const lower = slot.toLowerCase();
  return /^(?:number of|attitude to) /.test(lower) ? lower.replace(/(?<=\p{L}{2}[^s])s$/u, "") : lower;
};

/** Cached normal forms, because each fact is compared with all new ones. */
const normalTexts = new WeakMap<KnownFact, string>();

function normalText(fact: KnownFact): string {
  const known = normalTexts.get(fact);
  if (known !== undefined) return known;
  const made = normal(fact.text);
  normalTexts.set(fact, made);
  return made;
}
