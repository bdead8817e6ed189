import { isObject } from "../../base/expect.ts";
import { isText, isTexts, type Unchecked } from "../record-codec.ts";

/** File format of backups; readers reject any other. */
export const BACKUP_FORMAT = 1;

/** Manifest of a backup: `NAME.json` in the backup folder. */
export interface BackupManifest {
  readonly format: typeof BACKUP_FORMAT;
  readonly name: string;
  /** Time of the snapshot, Unix time in ms. */
  readonly createdAt: number;
  /** Version of the server that wrote the backup. */
  readonly version: string;
  /** Format of the data directory (migrations.ts). */
  readonly dataFormat: number;
  /** Whether the schedule created the backup; the schedule then also removes it. */
  readonly scheduled: boolean;
  readonly records: number;
  /** Number of large contents (blobs). */
  readonly contents: number;
  /** Bytes of packed records and large contents. */
  readonly bytes: number;
  /** The part of `bytes` that was not already stored by an earlier backup. */
  readonly addedBytes: number;
  readonly durationMs: number;
  /** Hashes of the objects that contain the records, in key order. */
  readonly segments: readonly string[];
  /** SHA-256 of `NAME.contents`, the list of large contents, one per line. */
  readonly contentsHash: string;
  /** Bucket and hash of large contents that were missing or damaged in the data directory. */
  readonly lost: readonly string[];
}

export const BACKUP_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const HASH = /^[0-9a-f]{64}$/;

/** The manifest or content list of a backup cannot be read; the message has the reason. */
export class DamagedBackup extends Error {}

/** Parses a manifest. Throws DamagedBackup. */
export function parseManifest(name: string, text: string): BackupManifest {
  const value = parsed(text);
  if (!isObject(value)) throw new DamagedBackup("its manifest is damaged");
  if (value.format !== BACKUP_FORMAT)
    throw new DamagedBackup(
      `it has format ${JSON.stringify(value.format)}; this version reads ${BACKUP_FORMAT}`,
    );
  if (!isManifest(value) || value.name !== name) throw new DamagedBackup("its manifest is damaged");
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isManifest(value: Unchecked<BackupManifest>): value is BackupManifest {
  const { createdAt, dataFormat, records, contents, bytes, addedBytes, durationMs } = value;
  return (
    isText(value.name) &&
    isText(value.version) &&
    typeof value.scheduled === "boolean" &&
    [createdAt, dataFormat, records, contents, bytes, addedBytes, durationMs].every(Number.isSafeInteger) &&
    isTexts(value.lost) &&
    areHashes(value.segments) &&
    areHashes([value.contentsHash])
  );
}

const areHashes = (values: unknown): boolean =>
  Array.isArray(values) && values.every((value) => isText(value) && HASH.test(value));
