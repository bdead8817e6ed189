import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ignoreMissing } from "../../base/faults.ts";
import type { Log } from "../../base/log.ts";
import { StartError } from "../../base/start-error.ts";
import { readLog } from "./log-records.ts";
import { type Version, versionOf } from "./manifest.ts";
import { checkTable } from "./table-blocks.ts";

/** Number of files that are read concurrently; tables have 2 MiB. */
const FILES_AT_ONCE = 4;
/** Maximum number of characters or file numbers shown in an error. */
const MAX_SHOWN = 40;

const DATA_FILE = /^\d+\.(?:log|ldb|sst)$/;
const CURRENT_CONTENT = /^(MANIFEST-\d+)\n$/;

/**
 * Verifies the checksums of all LevelDB files before it opens. LevelDB silently skips damaged log records and
 * does not verify blocks on reads, so that a flipped bit would lose or change acknowledged writes unnoticed.
 * An incomplete last write was never acknowledged: it is only logged. Rejects with a StartError. Skips files
 * that no manifest lists; LevelDB removes them.
 */
export async function checkFiles(folder: string, log: Log): Promise<void> {
  const names = await readdir(folder).catch(ignoreMissing);
  const current = await currentManifest(folder, names ?? []);
  if (names === undefined || current === undefined) return;
  const manifest = await readFile(join(folder, current)).catch(ignoreMissing);
  if (!manifest) throw damaged("CURRENT", `it names ${current}, which is missing`);
  const edits = readLog(manifest);
  if (edits.state === "damaged") throw damaged(current, `at byte ${edits.end}`);
  const version = understood(current, () => versionOf(edits.records));
  checkPresent(names, current, version);
  const remaining = names.values();
  const checkNext = async () => {
    for (const name of remaining) await checkFile(folder, name, version, log);
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, checkNext));
}

/** The manifest named in CURRENT; undefined for a database that does not exist yet. */
async function currentManifest(folder: string, names: readonly string[]): Promise<string | undefined> {
  const content = await readFile(join(folder, "CURRENT"), "latin1").catch(ignoreMissing);
  if (content === undefined) {
    // without tables and logs, the creation was interrupted, and LevelDB starts again
    if (names.some((name) => DATA_FILE.test(name))) throw damaged("CURRENT", "it is missing");
    return undefined;
  }
  const [, name] = CURRENT_CONTENT.exec(content) ?? [];
  if (name === undefined) {
    const shown = JSON.stringify(content.slice(0, MAX_SHOWN));
    throw damaged("CURRENT", content === "" ? "it is empty" : `it names no manifest: ${shown}`);
  }
  return name;
}

/** Checks for missing files: LevelDB detects a missing table, but treats a missing log as empty. */
function checkPresent(
  names: readonly string[],
  manifest: string,
  { tables, firstLog, previousLog }: Version,
): void {
  const present = new Set(names.flatMap((name) => (DATA_FILE.test(name) ? [Number.parseInt(name, 10)] : [])));
  const needed = [...tables.keys(), ...[firstLog, previousLog].filter((log) => log > 0)];
  const missing = needed.filter((number) => !present.has(number));
  if (missing.length > 0)
    throw damaged(manifest, `it names files that are missing: ${missing.slice(0, MAX_SHOWN).join(", ")}`);
}

async function checkFile(folder: string, name: string, version: Version, log: Log): Promise<void> {
  const [, digits, kind] = /^(\d+)\.(log|ldb|sst)$/.exec(name) ?? [];
  const number = Number(digits);
  if (kind === "log" && (number >= version.firstLog || number === version.previousLog)) {
    const file = await readFile(join(folder, name));
    const { state, end } = readLog(file);
    if (state === "damaged") throw damaged(name, `at byte ${end}`);
    if (state === "torn")
      log.warn(
        { file: name, droppedBytes: file.byteLength - end },
        "the last write before the end of the server was not finished; it is dropped",
      );
  }
  const size = version.tables.get(number);
  if ((kind === "ldb" || kind === "sst") && size !== undefined) {
    const file = await readFile(join(folder, name));
    if (file.byteLength !== size) throw damaged(name, `it has ${file.byteLength} bytes instead of ${size}`);
    understood(name, () => checkTable(file));
  }
}

function understood<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw damaged(name, error instanceof Error ? error.message : String(error));
  }
}

const damaged = (file: string, what: string) =>
  new StartError(
    `the data directory is damaged: kv/${file}: ${what}; restore a backup with \`ctxdb restore\``,
  );
