import { entity, profile } from "../predicates.ts";
import type { RuleLanguage, Statement } from "../rule.ts";

/** The subject of a clause. */
export interface Subject {
  readonly kind: "self" | "person" | "thing";
  readonly topic: string;
  /** The noun, part of the slots of statements about a thing; "" for the speaker. */
  readonly name: string;
  /** The subject, with placeholders for the speaker; undefined: the speaker. */
  readonly text?: string;
}

export const SELF: Subject = { kind: "self", topic: "profile", name: "" };

/** A predicate in the third person, and the question that it answers. */
export interface Predicate {
  readonly about: string;
  readonly slot?: string | undefined;
}

/**
 * A statement about a subject. Statements about the speaker's things belong to the profile, those about
 * people to their own files.
 */
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

/** Splits a sentence into statements and removes small talk before each. */
export const partsOf = (sentence: string, next: RegExp, leading: RegExp): string[] =>
  sentence.split(next).map((part) => part.replace(leading, "").replace(/\s+/g, " ").trim());
