import type { SessionStats } from "../../domain/session.ts";

/** Share of a message in its archive. */
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

/** The counts of a session, rewritten with every message: small, whatever the session's length. */
export interface SessionRecord {
  /** Agent of the request that created it. */
  readonly agent: string;
  /** Unix time in ms. */
  readonly created: number;
  readonly updated: number;
  /** Archives made; what is not archived yet lies under the next number, so that a commit moves nothing. */
  readonly archives: number;
  /** Counts of the archive and its first message's number; numbers run through the session. */
  readonly buffer: Volume;
  readonly first: number;
  /** Files under `tools/`. */
  readonly tools: number;
  readonly stats: SessionStats;
}

/** An archive: `first` to `first + messages - 1` under its number. */
export interface ArchiveRecord extends Volume {
  readonly first: number;
  /** Unix time in ms of the commit. */
  readonly created: number;
  /** The task of the commit and its user, who may follow it. */
  readonly task: string;
  /** Memories of this archive and usage records it has updated, so far. */
  readonly memories: number;
  readonly activeCountUpdated: number;
  /** Its layers and memories are made. */
  readonly remembered: boolean;
  /** Sums up to this archive; of memories those of the archives that are remembered. */
  readonly stats: SessionStats;
}

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
