import { fieldOf } from "../../base/capture/captured-message.ts";
import { isObject } from "../../base/expect.ts";
import { parsed } from "../agents/rest-call.ts";
import { LocalError } from "../cli-errors.ts";
import type { SafeFolder } from "./safe-folder.ts";
import { isSafeName } from "./safe-names.ts";

/** File in the exported folder that records an export. */
export const RECORD_FILE = ".ctxdb-skills.json";

/** SHA-256 of each exported file, by its path in the folder. */
export type ExportedFiles = Map<string, string>;

const MAX_FILES = 100_000;
const MAX_DEPTH = 64;

/**
 * Reads which files earlier exports wrote; empty if there is no record. Throws LocalError if it is damaged.
 */
export async function readRecord(folder: SafeFolder): Promise<ExportedFiles> {
  const bytes = await folder.read(RECORD_FILE);
  if (bytes === undefined) return new Map();
  const files = fieldOf(parsed(bytes.toString("utf8")), "files");
  const entries = isObject(files) ? Object.entries(files) : [];
  const isValid =
    entries.length <= MAX_FILES && entries.every(([path, hash]) => isPath(path) && isHash(hash));
  if (!isObject(files) || !isValid)
    throw new LocalError(
      `${folder.pathOf(RECORD_FILE)} is damaged: delete it; the next export then treats the files in the folder as yours and keeps them`,
    );
  return new Map(entries.map(([path, hash]) => [path, String(hash)]));
}

export async function writeRecord(folder: SafeFolder, files: ExportedFiles): Promise<void> {
  const sorted = Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  await folder.write(RECORD_FILE, Buffer.from(`${JSON.stringify({ files: sorted }, undefined, 1)}\n`));
}

/** Whether an export could have written this path: a skill folder and a file in it. */
function isPath(path: string): boolean {
  const segments = path.split("/");
  return segments.length >= 2 && segments.length <= MAX_DEPTH && segments.every(isSafeName);
}

const isHash = (hash: unknown): boolean => typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash);
