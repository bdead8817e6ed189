import type { WorkspaceId } from "../domain/ids.ts";
import { isObject, isText, RecordKind } from "../storage/records.ts";
import type { Utterance } from "./utterance.ts";

export type FactCategory = "profile" | "preferences" | "entities" | "cases" | "patterns";

/** A statement worth keeping beyond the conversation in which it was made. */
export interface Fact {
  readonly category: FactCategory;
  /**
   * What it is about; facts of one category about the same thing go into one file. `profile` has one topic.
   */
  readonly topic: string;
  /** One statement that can be read by itself; a case: its paragraphs. */
  readonly text: string;
  /**
   * The question it answers ("home", "age"): a later answer supersedes an earlier one. Without one,
   * statements of a topic stand beside each other.
   */
  readonly slot?: string;
  /** The answer, where other words may give the same: the same answer again is no new fact. */
  readonly answer?: string;
  /** Ids of the messages that support it, at least one. */
  readonly sources: readonly string[];
  /** `2026-11-21`. */
  readonly date: string;
  /** Where it comes from. Default: the user. */
  readonly origin?: "user" | "agent" | "tool" | "import";
}

/** Facts of an archive that are not in memory yet. */
export const FACTS = new RecordKind<Fact[]>(
  "list of facts",
  (value) => Array.isArray(value) && value.every((fact) => isObject(fact) && isText(fact.text)),
);

/** Input of an extractor: the messages of one archive in order. */
export interface Conversation {
  readonly utterances: readonly Utterance[];
}

/** A fact that is kept already. */
export type KnownStatement = Pick<Fact, "category" | "topic" | "text" | "slot">;

/** Further inputs of an extractor. */
export interface ExtractionContext {
  /** The incarnation whose conversation it is. */
  readonly workspace: WorkspaceId;
  readonly known: () => Promise<readonly KnownStatement[]>;
}

/**
 * Finds facts in a conversation. It writes nothing and names for each fact the messages that support it;
 * whoever persists them compares them with what is known. Extracting may fail; episodes are kept all the
 * same.
 */
export interface Extractor {
  /** The same conversation gives the same facts: they can be found again and need not be kept. */
  readonly isRepeatable: boolean;
  extract(conversation: Conversation, signal: AbortSignal, context: ExtractionContext): Promise<Fact[]>;
}
