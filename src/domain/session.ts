import { SPEAKERS, SPECIFIED_SPEAKERS, type Speaker } from "./message.ts";

/** Rules of sessions. The compatibility mode is more permissive (CTXDB_COMPAT). */
export interface SessionRules {
  /** Whether the first message or use creates a missing session. */
  readonly areOpenedByUse: boolean;
  readonly speakers: readonly Speaker[];
  /** Whether the response to a commit always names a task, even if it waited for the result. */
  readonly commitsNameTask: boolean;
}

export const SPECIFIED_SESSIONS: SessionRules = {
  areOpenedByUse: false,
  speakers: SPECIFIED_SPEAKERS,
  commitsNameTask: false,
};

export const OPENVIKING_SESSIONS: SessionRules = {
  areOpenedByUse: true,
  speakers: SPEAKERS,
  commitsNameTask: true,
};

/** Totals over the lifetime of a session. */
export interface SessionStats {
  /** Number of messages from the user. */
  readonly totalTurns: number;
  /** Number of distinct contexts and skills used. */
  readonly contextsUsed: number;
  readonly skillsUsed: number;
  readonly memoriesExtracted: number;
  /** Estimated tokens of all messages. */
  readonly totalTokens: number;
  /** Number of archives. */
  readonly compressionCount: number;
}

/** Statistics with the field names of the API. */
export const statsView = (stats: SessionStats) => ({
  total_turns: stats.totalTurns,
  contexts_used: stats.contextsUsed,
  skills_used: stats.skillsUsed,
  memories_extracted: stats.memoriesExtracted,
  total_tokens: stats.totalTokens,
  compression_count: stats.compressionCount,
});

const ARCHIVE = /^archive_(\d{3,})$/;

/** Name of the n-th archive, from 1. */
export const archiveName = (archive: number): string => `archive_${String(archive).padStart(3, "0")}`;

/** Number of an archive, parsed from its name; undefined for other names. */
export function archiveNumber(name: string): number | undefined {
  const number = Number(ARCHIVE.exec(name)?.[1]);
  return archiveName(number) === name && number > 0 ? number : undefined;
}
