import { isObject } from "../../base/expect.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import { isText, RecordKind } from "../../storage/record-codec.ts";
import type { Utterance } from "../utterance.ts";
import type { FactKind } from "./fact-kind.ts";

export type FactCategory = "profile" | "preferences" | "entities" | "cases" | "patterns";

/** A statement that is still useful after its conversation. */
export interface Fact {
  readonly category: FactCategory;
  /**
   * Topic; facts with the same category and topic share a file. The category `profile` has only one topic.
   */
  readonly topic: string;
  /** A self-contained statement; for a case, its paragraphs. */
  readonly text: string;
  /**
   * The question that the fact answers ("home", "age"): a later answer supersedes an earlier one. Without it,
   * statements of a topic coexist.
   */
  readonly slot?: string;
  /** The answer in normalized form, if it can be worded differently: an equal answer is not a new fact. */
  readonly answer?: string;
  /** Kind of the current facts that this one replaces, in all files. */
  readonly replaces?: FactKind;
  /** Texts of the current facts that this one replaces, in all files. */
  readonly ends?: readonly string[];
  /** Ids of the messages that support the fact, at least one. */
  readonly sources: readonly string[];
  /** Date such as `2026-11-21`. */
  readonly date: string;
  /** Origin of the fact; default: the user. */
  readonly origin?: "user" | "agent" | "tool" | "import";
  /** Time of the statement, Unix time in ms. */
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

/** A stored fact, or one that a message before has stated. */
export interface KnownStatement extends Pick<Fact, "category" | "topic" | "text" | "slot"> {
  /** Id of the message that stated it; undefined if an earlier conversation did. */
  readonly message?: string;
}

/** Additional input of an extractor. */
export interface ExtractionContext {
  /** Account (incarnation) of the conversation. */
  readonly workspace: WorkspaceId;
  /** Current facts of the user: for rules all of them, latest last; for a model those that it needs. */
  readonly known: () => Promise<readonly KnownStatement[]>;
}

/**
 * Finds facts in a conversation, with the messages that support each. Writes nothing; the caller compares
 * facts with known ones and stores them. Extraction may fail; episodes are stored anyway.
 */
export interface Extractor {
  /** Whether the extractor is deterministic, so that facts can be extracted again instead of being stored. */
  readonly isRepeatable: boolean;
  extract(conversation: Conversation, signal: AbortSignal, context: ExtractionContext): Promise<Fact[]>;
}
