import { varint } from "./snappy.ts";

/** Current files of a database. */
export interface Version {
  /** Sizes in bytes by file number. */
  readonly tables: ReadonlyMap<number, number>;
  /** First log number that LevelDB reads at the start. */
  readonly firstLog: number;
  /** Number of an older log that is still needed; 0 if none. */
  readonly previousLog: number;
}

const TAG = {
  comparator: 1,
  log: 2,
  nextFile: 3,
  sequence: 4,
  compaction: 5,
  deleted: 6,
  added: 7,
  previousLog: 9,
} as const;

/** Combines the edits of a manifest. */
export function versionOf(edits: readonly Uint8Array[]): Version {
  const version = { tables: new Map<number, number>(), firstLog: 0, previousLog: 0 };
  for (const edit of edits) fold(version, edit);
  return version;
}

function fold(
  version: { tables: Map<number, number>; firstLog: number; previousLog: number },
  edit: Uint8Array,
): void {
  let at = 0;
  const number = () => {
    const [value, next] = varint(edit, at);
    at = next;
    return value;
  };
  const skipText = () => {
    const length = number();
    at += length;
  };
  const readers: Readonly<Record<number, () => void>> = {
    [TAG.comparator]: skipText,
    [TAG.log]: () => (version.firstLog = number()),
    [TAG.nextFile]: number,
    [TAG.sequence]: number,
    [TAG.compaction]: () => {
      number();
      skipText();
    },
    [TAG.deleted]: () => {
      number();
      version.tables.delete(number());
    },
    [TAG.added]: () => {
      number();
      version.tables.set(number(), number());
      skipText();
      skipText();
    },
    [TAG.previousLog]: () => (version.previousLog = number()),
  };
  while (at < edit.byteLength) {
    const tag = number();
    const read = readers[tag];
    if (!read) throw new Error(`unknown tag ${tag}`);
    read();
  }
}
