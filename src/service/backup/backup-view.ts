import type { BackupManifest } from "../../storage/backup/manifest.ts";
import type { BackupAttempt } from "./backups.ts";

/** Maximum number of lost contents named in a response. */
const MAX_LOST = 100;

/** A backup in API responses. Times are ISO 8601, UTC. */
export interface BackupView {
  readonly name: string;
  readonly state: "complete" | "running" | "failed" | "damaged";
  readonly createdAt: string;
  readonly version: string;
  readonly scheduled: boolean;
  readonly records: number;
  readonly contents: number;
  readonly bytes: number;
  readonly addedBytes: number;
  readonly seconds: number;
  readonly lost: string[];
  readonly error?: string;
}

const UNKNOWN = { version: "", records: 0, contents: 0, bytes: 0, seconds: 0, lost: [] };

export const viewOfBackup = (backup: BackupManifest): BackupView => ({
  name: backup.name,
  state: "complete",
  createdAt: new Date(backup.createdAt).toISOString(),
  version: backup.version,
  scheduled: backup.scheduled,
  records: backup.records,
  contents: backup.contents,
  bytes: backup.bytes,
  addedBytes: backup.addedBytes,
  seconds: backup.durationMs / 1000,
  lost: backup.lost.slice(0, MAX_LOST),
});

export const viewOfAttempt = ({
  name,
  scheduled,
  startedAt,
  addedBytes,
  error,
}: BackupAttempt): BackupView => ({
  ...UNKNOWN,
  name,
  state: error === undefined ? "running" : "failed",
  createdAt: new Date(startedAt).toISOString(),
  scheduled,
  addedBytes,
  ...(error !== undefined && { error }),
});

export const viewOfDamaged = (name: string, reason: string): BackupView => ({
  ...UNKNOWN,
  name,
  state: "damaged",
  createdAt: "",
  scheduled: false,
  addedBytes: 0,
  error: reason,
});
