import type { RuleLanguage, Statement } from "./rule.ts";

/** A fact about the speaker; `slot`: the question it answers. */
export const profile = (language: RuleLanguage, about: string, slot?: string): Statement => ({
  language,
  category: "profile",
  topic: "profile",
  about,
  ...(slot !== undefined && { slot }),
});

/**
 * What the speaker likes, consumes or uses, or does not: one slot per thing, whatever the verb, so that "no
 * longer drinks coffee" supersedes "likes coffee".
 */
export const attitude = (
  language: RuleLanguage,
  about: string,
  thing: string,
  answer: "yes" | "no",
): Statement => ({
  language,
  category: "preferences",
  topic: thing,
  about,
  slot: `attitude to ${thing.toLowerCase()}`,
  answer,
});

const ANSWERS_IN =
  /\b(?:answer|reply|respond)\b[^.!?\n]*? in (?:English|German|French|Spanish|Italian|Chinese|Japanese)\b|antworte\b[^.!?\n]*? auf (?:Deutsch|Englisch|Französisch|Spanisch|Italienisch|Chinesisch|Japanisch)\b|réponds\b[^.!?\n]*? en (?:français|anglais|allemand|espagnol|italien|chinois|japonais)|用(?:中文|英文|英语|德语|法语|日语)来?(?:回答|回复)/iu;

/**
 * A permanent wish about how the agent works. For the language of its answers, a later wish supersedes an
 * earlier one.
 */
export const wish = (language: RuleLanguage, topic: string, about: string): Statement => ({
  language,
  category: "preferences",
  about,
  ...(ANSWERS_IN.test(about) ? { topic: "language of answers", slot: "language of answers" } : { topic }),
});

/** A fact about a person or thing that the speaker names. `subject` may contain `{whose}`. */
export const entity = (
  language: RuleLanguage,
  topic: string,
  subject: string,
  about: string,
  slot?: string,
): Statement => ({
  language,
  category: "entities",
  topic,
  subject,
  about,
  ...(slot !== undefined && { slot }),
});

/**
 * The other statements of a sentence such as "is called Ann and lives in Bern"; `parts` returns the statement
 * of a part, or nothing.
 */
export const furtherStatements = (
  language: RuleLanguage,
  name: string,
  parts: readonly string[],
  objectOf: (part: string) => string | undefined,
): Statement[] =>
  parts.flatMap((part) => {
    const object = objectOf(part);
    return object === undefined ? [] : [entity(language, name, name, object, object.split(" ")[0])];
  });

/** Parses "a=b, c=d" to a table. */
export const wordTable = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(text.split(", ").map((pair) => pair.split("=")));
