import { type FactFile, heldFrom, type KnownFact, MAX_EARLIER, MAX_FACTS, normal } from "./fact-file.ts";

/** Maximum number of messages recorded as sources of a fact. */
const MAX_SOURCES = 8;

export interface Merged {
  readonly file: FactFile;
  /** Number of new facts; 0 if nothing changed. */
  readonly added: number;
}

/**
 * Merges facts of one topic into its file: skips known facts; a later answer to the same question supersedes
 * the earlier one. Runs in steps of at most a millisecond.
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

/** Whether two facts answer one question: "number of cats" is that of "a cat" and of "Cats". */
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
