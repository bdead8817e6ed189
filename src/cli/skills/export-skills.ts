import type { NodeClient } from "../../../clients/typescript/src/node/node-client.ts";
import { LocalError } from "../cli-errors.ts";
import { EXIT } from "../exit-code.ts";
import { type ExportedFiles, readRecord, writeRecord } from "./export-record.ts";
import { BlockedPath, hashOf, MAX_FILE_BYTES, type SafeFolder } from "./safe-folder.ts";
import { DistinctNames } from "./safe-names.ts";

/** Maximum number of files per skill on the server. */
const MAX_SKILL_FILES = 1000;

export interface ExportOptions {
  /** Names of the skills; all if absent. */
  readonly names?: readonly string[];
  /** Delete exported files that the server no longer has. */
  readonly removes: boolean;
  /** Replace files that were changed in the folder since they were exported. */
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

export interface ExportReport {
  skills: number;
  written: string[];
  removed: string[];
  unchanged: number;
  /** Files that were not overwritten or deleted, with the reason. */
  kept: { file: string; reason: string }[];
}

/** A skill's file: URI on the server, path in the folder. */
interface SkillFile {
  readonly uri: string;
  readonly path: string;
}

/** Exports skills as folders with a `SKILL.md`, the layout that coding agents read. */
export async function exportSkills(
  client: NodeClient,
  folder: SafeFolder,
  options: ExportOptions,
): Promise<ExportReport> {
  const report: ExportReport = { skills: 0, written: [], removed: [], unchanged: 0, kept: [] };
  const exported = await readRecord(folder);
  const { all, isWanted } = await skillsAskedFor(client, options);
  const wanted = new Set<string>();
  const folders = new DistinctNames();
  for (const { name, uri } of all) {
    // a skill's folder name must not depend on the selection
    const skillFolder = folders.add(name);
    if (!isWanted(name)) continue;
    const files = await filesOf(client, uri, skillFolder, options.signal);
    report.skills++;
    for (const file of files) {
      wanted.add(file.path);
      await keepInStep(client, folder, exported, file, report, options);
    }
    // record progress even if the export ends early
    if (!options.dryRun) await writeRecord(folder, exported);
  }
  if (options.removes) await removeGone(folder, exported, wanted, report, options);
  if (!options.dryRun) await writeRecord(folder, exported);
  return report;
}

async function skillsAskedFor(
  client: NodeClient,
  { names, signal }: ExportOptions,
): Promise<{
  readonly all: readonly { readonly name: string; readonly uri: string }[];
  readonly isWanted: (name: string) => boolean;
}> {
  const all = await client.skills.list({ signal });
  const missing = names?.find((name) => !all.some((skill) => skill.name === name));
  if (missing !== undefined)
    throw new LocalError(
      `skill not found: "${missing}"; list all skills with \`ctxdb skill list\``,
      EXIT.notFound,
    );
  return { all, isWanted: (name) => names === undefined || names.includes(name) };
}

/** The files of a skill, without derived and hidden files. */
async function filesOf(
  client: NodeClient,
  uri: string,
  skillFolder: string,
  signal: AbortSignal,
): Promise<SkillFile[]> {
  const root = uri.replace(/\/+$/, "");
  const name = root.split("/").at(-1) ?? "";
  const { files } = await client.skills.get({ name }, { signal });
  if (files.length > MAX_SKILL_FILES)
    throw new LocalError(
      `the skill "${name}" has more than ${MAX_SKILL_FILES} files: export it with \`ctxdb export\``,
    );
  const names = new Map<string, DistinctNames>();
  const known = new Map<string, string>();
  const pathOf = (file: string): string => {
    let at = skillFolder;
    let from = "";
    for (const segment of file.split("/")) {
      from = `${from}/${segment}`;
      const siblings = names.get(at) ?? new DistinctNames();
      names.set(at, siblings);
      const path = known.get(from) ?? `${at}/${siblings.add(segment)}`;
      known.set(from, path);
      at = path;
    }
    return at;
  };
  return ["SKILL.md", ...files].map((file) => ({ uri: `${root}/${file}`, path: pathOf(file) }));
}

/** Writes a file unless it is identical, or was changed in the folder. */
async function keepInStep(
  client: NodeClient,
  folder: SafeFolder,
  exported: ExportedFiles,
  { uri, path }: SkillFile,
  report: ExportReport,
  { force, dryRun, signal }: ExportOptions,
): Promise<void> {
  const bytes = await download(client, uri, signal);
  try {
    const present = await folder.read(path);
    if (present?.equals(bytes)) {
      report.unchanged++;
    } else if (present !== undefined && hashOf(present) !== exported.get(path) && !force) {
      report.kept.push({
        file: path,
        reason: exported.has(path) ? "was changed here" : "was here before the export",
      });
      return;
    } else {
      if (!dryRun) await folder.write(path, bytes);
      report.written.push(path);
    }
    exported.set(path, hashOf(bytes));
  } catch (error) {
    if (!(error instanceof BlockedPath)) throw error;
    report.kept.push({ file: path, reason: error.message });
  }
}

async function removeGone(
  folder: SafeFolder,
  exported: ExportedFiles,
  wanted: ReadonlySet<string>,
  report: ExportReport,
  { force, dryRun }: ExportOptions,
): Promise<void> {
  for (const [path, hash] of [...exported]) {
    if (wanted.has(path)) continue;
    try {
      const present = await folder.read(path);
      if (present !== undefined && hashOf(present) !== hash && !force) {
        report.kept.push({ file: path, reason: "was changed here; the server no longer has it" });
        continue;
      }
      if (present !== undefined) report.removed.push(path);
      if (!dryRun) await folder.remove(path);
      exported.delete(path);
    } catch (error) {
      if (!(error instanceof BlockedPath)) throw error;
      report.kept.push({ file: path, reason: error.message });
    }
  }
}

async function download(client: NodeClient, uri: string, signal: AbortSignal): Promise<Buffer> {
  const { bytes } = await client.content.download({ uri }, { signal });
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > MAX_FILE_BYTES)
      throw new LocalError(`${uri} is larger than ${MAX_FILE_BYTES} bytes: save it with \`ctxdb read -o\``);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
