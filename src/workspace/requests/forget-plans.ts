import { isObject } from "../../base/expect.ts";
import type { Details } from "../../domain/errors.ts";
import type { NodeId } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import { isList, isMissingOr, isNumber, isText, isTexts, objects } from "../../storage/record-codec.ts";
import type { LaterAnswer } from "./first-answers.ts";

/**
 * What a forget operation removes: decided once, and stored before anything is removed. A plan contains words
 * of that content; it is deleted once everything is removed, before the content is erased from disk. A user
 * has at most one plan.
 */
export interface ForgetPlanRecord {
  /** Agent of the request. */
  readonly agent: string;
  /** The task that tracks the forget operation, if any. */
  readonly task?: string;
  /** Origins of the follow-up jobs, including the task. */
  readonly origins: readonly string[];
  /** Identifies the request: repeating it returns `answer`. */
  readonly asked?: string;
  readonly answer?: Details;
  /** The answer under an idempotency key, stored at the end. */
  readonly later?: LaterAnswer;
  readonly counts: { readonly facts: number; readonly episodes: number; readonly messages: number };
  /** Words to search for in other records, and the minimum share of them that must be found. */
  readonly phrases: readonly { readonly words: readonly string[]; readonly minShare: number }[];
  /** URIs of removed files. */
  readonly uris: readonly string[];
  /** A path to remove with everything below. */
  readonly path?: Path;
  /** Id of a session to remove as a whole. */
  readonly session?: string;
  /** Memory files that change, and the directories above them. */
  readonly nodes: readonly NodeId[];
  readonly directories: readonly NodeId[];
  /** Archives whose layers and findings may contain the content. */
  readonly archives: readonly (readonly [session: NodeId, archive: number])[];
}

export const FORGET_PLANS = objects<ForgetPlanRecord>(
  "plan of a forget operation",
  ({ agent, task, origins, asked, answer, later, counts, phrases, uris, path, session, ...lists }) =>
    isText(agent) &&
    isMissingOr(task, isText) &&
    isTexts(origins) &&
    isMissingOr(asked, isText) &&
    isMissingOr(answer, isObject) &&
    isMissingOr(later, isObject) &&
    isObject(counts) &&
    isList(phrases) &&
    isTexts(uris) &&
    isMissingOr(path, isTexts) &&
    isMissingOr(session, isText) &&
    isNumbers(lists.nodes) &&
    isNumbers(lists.directories) &&
    isList(lists.archives),
);

const isNumbers = (value: unknown): boolean => Array.isArray(value) && value.every(isNumber);

/** Messages of a session to rewrite. Sentences are identified by their digests. */
export interface MessagesStep {
  readonly session: NodeId;
  readonly messages: readonly {
    readonly archive: number;
    readonly sequence: number;
    readonly gone: readonly string[];
  }[];
}

export const MESSAGES_STEPS = objects<MessagesStep>(
  "step of a forget operation",
  ({ session, messages }) => isNumber(session) && isList(messages),
);

/** A memory file to rewrite or remove: an episode, or a file with facts, of which `keys` are removed. */
export interface MemoryStep {
  readonly node: NodeId;
  /** The agent to which the file belongs. */
  readonly agent: string;
  readonly episode?: { readonly isGone: boolean; readonly gone: readonly string[] };
  readonly keys?: readonly string[];
}

export const MEMORY_STEPS = objects<MemoryStep>(
  "step of a forget operation",
  ({ node, agent, episode, keys }) =>
    isNumber(node) && isText(agent) && isMissingOr(episode, isObject) && isMissingOr(keys, isTexts),
);
