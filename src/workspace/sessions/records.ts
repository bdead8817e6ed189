import { isObject } from "../../base/expect.ts";
import type { SessionStats } from "../../domain/session.ts";
import { isNumber, isText, objects } from "../../storage/record-codec.ts";

/** Number and size of messages of an archive. */
export interface Volume {
  readonly messages: number;
  /** Bytes in `messages.jsonl`. */
  readonly bytes: number;
  /** Number of messages from the user. */
  readonly turns: number;
  /** Estimated number of tokens. */
  readonly tokens: number;
}

export const EMPTY: Volume = { messages: 0, bytes: 0, turns: 0, tokens: 0 };

/** Counts of a session, rewritten with every message; small however long the session is. */
export interface SessionRecord {
  /** Agent of the request that created the session. */
  readonly agent: string;
  /** Unix time in ms. */
  readonly created: number;
  readonly updated: number;
  /**
   * Number of archives. Uncommitted messages are stored under the next number, so that a commit moves
   * nothing.
   */
  readonly archives: number;
  /**
   * Counts of the uncommitted messages, and the number of the first one; numbers continue through the
   * session.
   */
  readonly buffer: Volume;
  readonly first: number;
  /** Number of files under `tools/`. */
  readonly tools: number;
  readonly stats: SessionStats;
}

export const SESSION_RECORDS = objects<SessionRecord>(
  "session",
  ({ agent, created, updated, archives, buffer, first, tools, stats }) =>
    isText(agent) &&
    isNumber(created) &&
    isNumber(updated) &&
    isNumber(archives) &&
    isObject(buffer) &&
    isNumber(first) &&
    isNumber(tools) &&
    isObject(stats),
);

/** An archive, which contains the messages `first` to `first + messages - 1`. */
export interface ArchiveRecord extends Volume {
  readonly first: number;
  /** Time of the commit, Unix time in ms. */
  readonly created: number;
  /** Id of the commit's task. */
  readonly task: string;
  /** Number of memories and of updated usage records of this archive so far. */
  readonly memories: number;
  readonly activeCountUpdated: number;
  /** Whether the archive's layers and memories are finished. */
  readonly remembered: boolean;
  /** Totals up to this archive; memories only of finished archives. */
  readonly stats: SessionStats;
}

export const ARCHIVES = objects<ArchiveRecord>(
  "archive",
  ({ messages, bytes, first, created, task, remembered, stats }) =>
    isNumber(messages) &&
    isNumber(bytes) &&
    isNumber(first) &&
    isNumber(created) &&
    isText(task) &&
    typeof remembered === "boolean" &&
    isObject(stats),
);

/** A file under `tools/`: the latest part that refers to the call. */
export interface ToolRecord {
  readonly archive: number;
  readonly sequence: number;
  /** Index of the part in its message. */
  readonly part: number;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Unix time in ms. */
  readonly created: number;
  readonly modified: number;
}

export const TOOL_RECORDS = objects<ToolRecord>(
  "tool call",
  ({ archive, sequence, part, size, created, modified }) =>
    isNumber(archive) &&
    isNumber(sequence) &&
    isNumber(part) &&
    isNumber(size) &&
    isNumber(created) &&
    isNumber(modified),
);
