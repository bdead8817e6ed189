import type { Fact } from "../../facts/fact.ts";

const STOP =
  /^(?:the|user|users|uses|using|nutzt|benutzt|verwendet|utilise|der|die|das|des|nutzer|nutzers|utilisateur|and|und|with|mit|for|für|pour|ist|est|has|hat|une|les|their|seine?|son|sa)$/u;
const TELLER = /^(?:The user|Der Nutzer|L'utilisateur|用户)/u;

/** The words of a statement that carry its meaning; for Chinese, pairs of characters. */
function contentOf(text: string): Set<string> {
  const plain = text.replace(TELLER, "").toLowerCase();
  const words =
    plain.match(/[\p{Script=Latin}\d]{2,}|\d/gu)?.filter((word) => word.length > 2 || /\d/.test(word)) ?? [];
  const content = new Set(words.filter((word) => !STOP.test(word)));
  for (const run of plain.match(/\p{Script=Han}{2,}/gu) ?? [])
    for (let at = 0; at + 1 < run.length; at++) content.add(run.slice(at, at + 2));
  return content;
}

/** Minimum share of a statement's words that a known fact must contain for the statement to add nothing. */
const COVERED = 0.65;

/** Cached per fact, because each fact is compared with all others of its message. */
const contents = new WeakMap<Fact, Set<string>>();

function contentIn(fact: Fact): Set<string> {
  const content = contents.get(fact) ?? contentOf(fact.text);
  contents.set(fact, content);
  return content;
}

/**
 * Adds facts that state something new. If a known fact says the same as a found change, it is marked as a
 * change.
 */
export function addNew(facts: Fact[], found: readonly Fact[]): void {
  for (const fact of found) {
    const content = contentIn(fact);
    const at = facts.findIndex((known) => isSameQuestion(known, fact) || sharedBy(content, known) >= COVERED);
    const known = facts[at];
    if (known === undefined) {
      facts.push(fact);
      continue;
    }
    const isChange = fact.replaces !== undefined && known.replaces === undefined;
    // "on a déménagé, nous voilà à Pau": only the second fact says where
    if (isChange && sharedBy(content, known) === 0) facts[at] = fact;
    else if (isChange)
      facts[at] = { ...known, ...(fact.replaces !== undefined && { replaces: fact.replaces }) };
    else if (fact.text.startsWith(`${known.text} `)) facts[at] = { ...known, text: fact.text };
  }
}

const isSameQuestion = (known: Fact, fact: Fact): boolean =>
  known.slot !== undefined &&
  known.slot === fact.slot &&
  known.category === fact.category &&
  known.topic === fact.topic;

/** The share of the words that a known fact contains. */
function sharedBy(content: ReadonlySet<string>, known: Fact): number {
  if (content.size === 0) return 1;
  const other = contentIn(known);
  return [...content].filter((word) => other.has(word)).length / content.size;
}
