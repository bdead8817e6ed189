import type { FactCategory } from "../fact.ts";

/** The language in which a statement is written: that of who made it. */
export type RuleLanguage = "en" | "zh" | "de" | "fr";

/**
 * Result of a rule. `about` is the predicate that follows the speaker's name; `{whose}` in it or in the subject
 * stands for the speaker in the genitive ("the user's", "des Nutzers").
 */
export interface Statement {
  /** English where it is left out. */
  readonly language?: RuleLanguage;
  readonly category: Exclude<FactCategory, "cases">;
  readonly topic: string;
  readonly about: string;
  readonly slot?: string;
  /** As in Fact. */
  readonly answer?: string;
  /** The statement is about this one, not about who spoke. */
  readonly subject?: string;
}

/**
 * A form in which people say things about themselves and about others. `make` answers nothing where the form
 * fits and the meaning does not.
 */
export interface Rule {
  readonly pattern: RegExp;
  make(match: RegExpExecArray): Statement | readonly Statement[] | undefined;
  /** It reads what is no longer so, which all other rules pass over. */
  readonly isOfEnds?: boolean;
}
