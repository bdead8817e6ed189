import type { Utterance } from "./utterance.ts";

export type FactCategory = "profile" | "preferences" | "entities" | "cases" | "patterns";

/** A statement worth keeping beyond the conversation in which it was made. */
export interface Fact {
  readonly category: FactCategory;
  /** What it is about; facts of one category about the same thing go into one file. `profile` has one topic. */
  readonly topic: string;
  /** One statement that can be read by itself; a case: its paragraphs. */
  readonly text: string;
  /** The question it answers ("home", "age"): a later answer supersedes an earlier one. Without one, statements of a topic stand beside each other. */
  readonly slot?: string;
  /** The answer, where other words may give the same: the same answer again is no new fact. */
  readonly answer?: string;
  /** Ids of the messages that support it, at least one. */
  readonly sources: readonly string[];
  /** `2026-11-21`. */
  readonly date: string;
}

/** What an extractor is given: the messages of one archive in their order. */
export interface Conversation {
  readonly utterances: readonly Utterance[];
}

/**
 * Finds facts in a conversation. It writes nothing, names for each fact the messages that support it, and gives the same facts for the same conversation as far as it can: whoever
 * persists them compares them with what is known. Extracting may fail; episodes are kept all the same.
 */
export interface Extractor {
  extract(conversation: Conversation, signal: AbortSignal): Promise<Fact[]>;
}
