import { isObject } from "../base/expect.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { isText, RecordKind } from "../storage/records.ts";
import type { Utterance } from "./utterance.ts";

export type FactCategory = "profile" | "preferences" | "entities" | "cases" | "patterns";

/** A statement worth keeping after its conversation. */
export interface Fact {
  readonly category: FactCategory;
  /** The topic; facts of one category and topic share a file. `profile` has one topic. */
  readonly topic: string;
  /** One statement that is clear by itself; for a case, its paragraphs. */
  readonly text: string;
  /**
   * The question it answers ("home", "age"): a later answer supersedes an earlier one. Without one,
   * statements of a topic coexist.
   */
  readonly slot?: string;
  /** The answer, if other words may express the same: an equal answer is no new fact. */
  readonly answer?: string;
  /** Ids of the messages that support it, at least one. */
  readonly sources: readonly string[];
  /** `2026-11-21`. */
  readonly date: string;
  /** Its origin; the user by default. */
  readonly origin?: "user" | "agent" | "tool" | "import";
  /** When it was said, Unix time in ms. */
  readonly said?: number;
}

/** Facts of an archive that are not merged into memories yet. */
export const FACTS = new RecordKind<Fact[]>(
  "list of facts",
  (value) => Array.isArray(value) && value.every((fact) => isObject(fact) && isText(fact.text)),
);

/** Input of an extractor: the messages of one archive in order. */
export interface Conversation {
  readonly utterances: readonly Utterance[];
}

/** A stored fact. */
export type KnownStatement = Pick<Fact, "category" | "topic" | "text" | "slot">;

/** Further inputs of an extractor. */
export interface ExtractionContext {
  /** The account (incarnation) of the conversation. */
  readonly workspace: WorkspaceId;
  readonly known: () => Promise<readonly KnownStatement[]>;
}

/**
 * Finds facts in a conversation. It writes nothing and names the messages that support each fact; the caller
 * compares facts with known ones and persists them. Extraction may fail; episodes are kept anyway.
 */
export interface Extractor {
  /** Deterministic: facts can be extracted again and need not be stored. */
  readonly isRepeatable: boolean;
  extract(conversation: Conversation, signal: AbortSignal, context: ExtractionContext): Promise<Fact[]>;
}
