import type { FactCategory } from "../facts/fact.ts";
import type { FactKind } from "../facts/fact-kind.ts";

/** Language of a statement: the one that the speaker used. */
export type RuleLanguage = "en" | "zh" | "de" | "fr";

/**
 * Result of a rule. `about` is the predicate after the speaker's name; in `about` and in `subject`, `{whose}`
 * stands for the speaker's genitive ("the user's", "des Nutzers").
 */
export interface Statement {
  /** The language of the statement; undefined: English. */
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
