import type { FactCategory } from "../fact.ts";

/** Result of a rule; `about` is the predicate that follows the speaker's name. */
export interface Statement {
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
  make(match: RegExpExecArray): Statement | undefined;
}
