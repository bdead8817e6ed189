import type { FactCategory } from "../facts/fact.ts";
import type { FactKind } from "../facts/fact-kind.ts";

/** Language of a statement, which is that of the speaker. */
export type RuleLanguage = "en" | "zh" | "de" | "fr";

/**
 * Result of a rule. `about` is the predicate after the speaker's name; `{whose}` in it or in the subject
 * stands for the speaker's genitive ("the user's", "des Nutzers").
 */
export interface Statement {
  /** English by default. */
  readonly language?: RuleLanguage;
  readonly category: Exclude<FactCategory, "cases">;
  readonly topic: string;
  readonly about: string;
  readonly slot?: string;
  /** See Fact.answer. */
  readonly answer?: string;
  /** See Fact.replaces. */
  readonly replaces?: FactKind;
  /** The subject, if it is not the speaker. */
  readonly subject?: string;
}

/**
 * A pattern for statements about oneself and others. `make` returns nothing if the pattern matches but the
 * meaning does not.
 */
export interface Rule {
  readonly pattern: RegExp;
  make(match: RegExpExecArray): Statement | readonly Statement[] | undefined;
  /** Whether the rule handles clauses about ended states, which other rules skip. */
  readonly isOfEnds?: boolean;
}
