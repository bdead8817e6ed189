import { createHash } from "node:crypto";
import { YieldBudget } from "../base/event-loop.ts";
import { itemAt } from "../base/expect.ts";
import { compareNames, fitsUri, type Path } from "../domain/uri.ts";
import { SkipWarnings } from "./import-notes.ts";

/** Number of files between two yields. */
const FILES_PER_TURN = 2000;
/** Number of files looked at per step. */
const FILES_PER_STEP = 200;

/** A file of a source: its path below the root, and its content. */
export interface SourceFile {
  readonly relPath: Path;
  /** Size when listed, if known. Small files may be read ahead. */
  readonly bytes?: number;
  /** Time of the last change when listed (Unix time in ms), if known. */
  readonly modified?: number;
  /** Undefined if the file is gone or unreadable. */
  readonly read: () => Promise<Uint8Array | undefined>;
  /** URL from which the file was fetched, the base of its links. */
  readonly base?: string;
}

/**
 * Names of files and directories by parent directory, so that derived files do not use one of them. Made in
 * steps.
 */
export function* nameSteps(files: readonly SourceFile[]): Generator<undefined, Map<string, Set<string>>> {
  const names = new Map<string, Set<string>>();
  for (const [i, { relPath }] of files.entries()) {
    if (i % FILES_PER_STEP === 0) yield;
    for (let depth = 0; depth < relPath.length; depth++) {
      const directory = relPath.slice(0, depth).join("/");
      const known = names.get(directory);
      if (known) known.add(itemAt(relPath, depth));
      else names.set(directory, new Set([itemAt(relPath, depth)]));
    }
  }
  return names;
}

/** Compares paths in tree order: a directory precedes its contents. */
export function comparePaths(a: Path, b: Path): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareNames(itemAt(a, i), itemAt(b, i));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/**
 * The files whose URI below `root` is within the length limit: both the source and `root` may be deeply
 * nested. Selected in steps.
 */
export function* fittingSteps(
  root: Path,
  files: readonly SourceFile[],
): Generator<undefined, { fitting: SourceFile[]; skipped: readonly string[] }> {
  const skipped = new SkipWarnings();
  const fitting: SourceFile[] = [];
  for (const [i, file] of files.entries()) {
    if (i % FILES_PER_STEP === 0) yield;
    if (fitsUri([...root, ...file.relPath])) fitting.push(file);
    else skipped.add(`${file.relPath.join("/")}: skipped: its URI would be too long`);
  }
  return { fitting, skipped: skipped.told };
}

/**
 * Digest of the names, sizes and times of a source's files; a different digest means a change. Does not
 * detect a file rewritten with the same size and time.
 */
export async function stateOfFiles(files: readonly SourceFile[], signal: AbortSignal): Promise<string> {
  const digest = createHash("sha256");
  const turns = new YieldBudget(FILES_PER_TURN, signal);
  for (const { relPath, bytes, modified } of files) {
    digest.update(`${relPath.join("/")}\0${bytes}\0${modified}\0`);
    await turns.spend(1);
  }
  return digest.digest("hex");
}
