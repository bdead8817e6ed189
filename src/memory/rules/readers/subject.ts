import { entity, profile } from "../predicates.ts";
import type { RuleLanguage, Statement } from "../rule.ts";

/** Of whom or what a clause says something. */
export interface Subject {
  readonly kind: "self" | "person" | "thing";
  readonly topic: string;
  /** The noun, which names the questions about a thing; "" for the speaker. */
  readonly name: string;
  /** With placeholders for the speaker; undefined: the speaker. */
  readonly text?: string;
}

export const SELF: Subject = { kind: "self", topic: "profile", name: "" };

/** What is said, in the third person, and the question that it answers. */
export interface Predicate {
  readonly about: string;
  readonly slot?: string | undefined;
}

/** A statement about a subject: things of the speaker stand in the profile, people by themselves. */
export function statementAbout(
  language: RuleLanguage,
  subject: Subject,
  { about, slot }: Predicate,
): Statement {
  const { kind, topic, name, text } = subject;
  if (kind === "self" || text === undefined) return profile(language, about, slot);
  if (kind === "person") return entity(language, topic, text, about, slot);
  return { ...profile(language, about, `${name} ${slot ?? about.split(" ")[0]}`), subject: text };
}

/** The statements of a sentence, each without small talk in front. */
export const partsOf = (sentence: string, next: RegExp, leading: RegExp): string[] =>
  sentence.split(next).map((part) => part.replace(leading, "").replace(/\s+/g, " ").trim());
