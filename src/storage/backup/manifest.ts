/** File format of a backup; a reader refuses others. */
export const BACKUP_FORMAT = 1;

/** What one backup consists of: `NAME.json` in the backup folder. */
export interface BackupManifest {
  readonly format: typeof BACKUP_FORMAT;
  readonly name: string;
  /** The moment of the snapshot: Unix time in ms. */
  readonly createdAt: number;
  /** Version of the server that wrote it. */
  readonly version: string;
  /** Format of the data directory (migrations.ts). */
  readonly dataFormat: number;
  /** Written by the schedule, which also removes it. */
  readonly scheduled: boolean;
  readonly records: number;
  /** Large contents (blobs). */
  readonly contents: number;
  /** Bytes of records, packed, and of large contents. */
  readonly bytes: number;
  /** The part of `bytes` that no earlier backup had stored. */
  readonly addedBytes: number;
  readonly durationMs: number;
  /** Hashes of the objects with the records, in key order. */
  readonly segments: readonly string[];
  /** SHA-256 of `NAME.contents`, which lists the large contents, one a line. */
  readonly contentsHash: string;
  /** Large contents that were missing or damaged in the data directory: bucket and hash. */
  readonly lost: readonly string[];
}

export const BACKUP_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const HASH = /^[0-9a-f]{64}$/;

/** Throws an Error that says what is wrong with the file of a manifest. */
export function parseManifest(name: string, text: string): BackupManifest {
  const manifest = JSON.parse(text) as Partial<BackupManifest>;
  if (manifest.format !== BACKUP_FORMAT)
    throw new Error(`it has format ${JSON.stringify(manifest.format)}; this version reads ${BACKUP_FORMAT}`);
  const numbers = [
    manifest.createdAt,
    manifest.dataFormat,
    manifest.records,
    manifest.contents,
    manifest.bytes,
    manifest.addedBytes,
    manifest.durationMs,
  ];
  const isWhole =
    manifest.name === name &&
    typeof manifest.version === "string" &&
    typeof manifest.scheduled === "boolean" &&
    numbers.every(Number.isSafeInteger) &&
    areStrings(manifest.segments, HASH) &&
    areStrings([manifest.contentsHash], HASH) &&
    areStrings(manifest.lost, /./);
  if (!isWhole) throw new Error("its manifest is damaged");
  return manifest as BackupManifest;
}

const areStrings = (values: unknown, form: RegExp): boolean =>
  Array.isArray(values) && values.every((value) => typeof value === "string" && form.test(value));
