import { SPEAKERS, SPECIFIED_SPEAKERS, type Speaker } from "./message.ts";

/** Rules of sessions; a compatibility mode allows more (CTXDB_COMPAT). */
export interface SessionRules {
  /** The first message or use creates a session that does not exist. */
  readonly areOpenedByUse: boolean;
  readonly speakers: readonly Speaker[];
  /** Each commit names a task in its answer, even if the answer waited for the commit. */
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

/** Totals over a session's life. */
export interface SessionStats {
  /** Messages of the user. */
  readonly totalTurns: number;
  /** Distinct contexts and skills used. */
  readonly contextsUsed: number;
  readonly skillsUsed: number;
  readonly memoriesExtracted: number;
  /** Estimated tokens of all messages. */
  readonly totalTokens: number;
  /** Number of archives. */
  readonly compressionCount: number;
}

/** Statistics with the field names of the specification. */
export const statsView = (stats: SessionStats) => ({
  total_turns: stats.totalTurns,
  contexts_used: stats.contextsUsed,
  skills_used: stats.skillsUsed,
  memories_extracted: stats.memoriesExtracted,
  total_tokens: stats.totalTokens,
  compression_count: stats.compressionCount,
});

const ARCHIVE = /^archive_(\d{3,})$/;

/** The name of the n-th archive, from 1. */
export const archiveName = (archive: number): string => `archive_${String(archive).padStart(3, "0")}`;

/** The number of an archive by its name; undefined for any other name. */
export function archiveNumber(name: string): number | undefined {
  const number = Number(ARCHIVE.exec(name)?.[1]);
  return archiveName(number) === name && number > 0 ? number : undefined;
}
