import { isObject } from "../../base/expect.ts";
import type { SessionStats } from "../../domain/session.ts";
import { isNumber, isText, objects } from "../../storage/records.ts";

/** Number and size of some messages of an archive. */
export interface Volume {
  readonly messages: number;
  /** Bytes of `messages.jsonl`. */
  readonly bytes: number;
  /** Messages of the user. */
  readonly turns: number;
  /** Estimated tokens. */
  readonly tokens: number;
}

export const EMPTY: Volume = { messages: 0, bytes: 0, turns: 0, tokens: 0 };

/** The counts of a session, rewritten with every message: small for a session of any length. */
export interface SessionRecord {
  /** Agent of the request that created it. */
  readonly agent: string;
  /** Unix time in ms. */
  readonly created: number;
  readonly updated: number;
  /** Number of archives; the buffer is stored under the next number, so that a commit moves nothing. */
  readonly archives: number;
  /** Counts of the buffer and its first message's number; numbers continue through the session. */
  readonly buffer: Volume;
  readonly first: number;
  /** Files under `tools/`. */
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

/** An archive: messages `first` to `first + messages - 1` under its number. */
export interface ArchiveRecord extends Volume {
  readonly first: number;
  /** Unix time in ms of the commit. */
  readonly created: number;
  /** The task of the commit and its user, who may follow it. */
  readonly task: string;
  /** Memories and updated usage records of this archive, so far. */
  readonly memories: number;
  readonly activeCountUpdated: number;
  /** Its layers and memories are finished. */
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

/** A file under `tools/`: the latest part that names the call. */
export interface ToolRecord {
  readonly archive: number;
  readonly sequence: number;
  /** Index of the part in its message. */
  readonly part: number;
  /** Bytes of the file. */
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
