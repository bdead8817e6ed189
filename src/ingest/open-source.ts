import { basename, join } from "node:path";
import { Budget } from "../base/budget.ts";
import { overBudget } from "../domain/errors.ts";
import { RESERVED_NAMES } from "../domain/scope.ts";
import type { Scratch, ScratchFolder } from "../storage/scratch.ts";
import type { Uploads } from "../workspace/requests/uploads.ts";
import { AddressGuard } from "./fetch/guard.ts";
import { FolderWatches } from "./folder-watch.ts";
import { ImportFilter } from "./import-filter.ts";
import {
  type ChangingSources,
  type ImportSource,
  identityOf,
  type LocalSpec,
  type SourceFilter,
  type SourceHead,
} from "./source.ts";
import { archiveStem, MAX_CHARGED_BYTES, openArchive } from "./source-archive.ts";
import { stateOfFiles } from "./source-file.ts";
import { legalSegment } from "./source-name.ts";
import { copyPath, openPath, type PathRules, realPath } from "./source-path.ts";
import { openRemote, type RemoteSourceDeps, remoteCommit, remoteHead } from "./source-remote.ts";

/** Folders and files of the server outside its data directory. */
interface OwnPlaces {
  readonly backups?: { readonly folder: string };
  readonly auditLog?: string | undefined;
  readonly configFile?: string | undefined;
  readonly tls?: { readonly key: string } | undefined;
}

/** Secret or server-wide paths, which no import may read, whatever CTXDB_LOCAL_PATHS allows. */
export const ownPlaces = ({ backups, auditLog, configFile, tls }: OwnPlaces): string[] =>
  [backups?.folder, auditLog, configFile, tls?.key].filter((place) => place !== undefined);

interface OpenDeps {
  /**
   * Settings: readable local files (undefined: any), the server's own folders, and the limits of an import.
   */
  readonly config: {
    readonly localPaths: readonly string[] | undefined;
    readonly dataDir: string;
    readonly urlAllowPrivate: boolean;
    readonly importMaxFiles: number;
    readonly importMaxBytes: number;
    readonly maxUploadBytes: number;
  } & OwnPlaces;
  readonly uploads: Uploads;
  readonly scratch: Scratch;
}

/** Scratch disk limits for unpacking, per account and in total. */
const MAX_SCRATCH_BYTES = 8 * MAX_CHARGED_BYTES;
/** Maximum bytes of an archive that is opened before the response; only a task opens larger ones. */
const MAX_ARCHIVE_AT_ONCE_BYTES = 16 * 1024 * 1024;
const EVERYTHING: SourceFilter = { ignoreDirs: "", include: "", exclude: "" };

export function sourcesOf({ config, uploads, scratch }: OpenDeps): ChangingSources {
  const { importMaxFiles: maxFiles, importMaxBytes: maxBytes, maxUploadBytes: maxFileBytes } = config;
  const room = new Budget<number>(
    { perKey: MAX_CHARGED_BYTES, total: MAX_SCRATCH_BYTES },
    overBudget("scratch disk"),
  );
  const { localPaths: allowed, dataDir } = config;
  const rules: PathRules = { allowed, dataDir, own: ownPlaces(config), maxFiles, maxBytes };
  const remote: RemoteSourceDeps = {
    guard: new AddressGuard(config.urlAllowPrivate),
    scratch,
    room,
    limits: { maxFiles, maxBytes, maxFileBytes },
  };
  const openLocal = async (spec: LocalSpec, wanted: SourceFilter): Promise<ImportSource> =>
    spec.kind === "upload" ? openUpload(uploads, spec) : openPath(spec.path, new ImportFilter(wanted), rules);
  const folders = new FolderWatches();
  return {
    openLocal,
    async stateOf(spec, wanted, signal) {
      if (spec.kind === "git") return remoteCommit(spec, remote, signal);
      if (spec.kind !== "path") return undefined;
      return stateOfFiles((await openLocal(spec, wanted)).files, signal);
    },
    watch: async (path, onChange, signal) => folders.watch(await realPath(path, rules), onChange, signal),
    async head(spec) {
      if (spec.kind === "url" || spec.kind === "git") return remoteHead(spec, remote.guard);
      if (archiveNameOf(spec) === undefined) return undefined;
      const file = await openLocal(spec, EVERYTHING);
      return file.isDirectory || file.bytes <= MAX_ARCHIVE_AT_ONCE_BYTES ? undefined : headOfArchive(file);
    },
    async open(spec, wanted, opening) {
      if (spec.kind === "url" || spec.kind === "git")
        return openRemote(spec, new ImportFilter(wanted), remote, opening);
      const source = await openLocal(spec, wanted);
      const name = archiveNameOf(spec);
      if (source.isDirectory || name === undefined) return source;
      const folder = await scratch.folder();
      try {
        const limits = {
          maxFiles,
          maxBytes,
          maxFileBytes,
          field: spec.kind === "upload" ? "temp_path" : "path",
        };
        const file = await fileOf(spec, folder, uploads, rules);
        const opened = await openArchive(file, name, new ImportFilter(wanted), {
          scratch,
          room,
          workspace: opening.workspace,
          limits,
          signal: opening.signal,
        });
        return {
          ...headOfArchive(source),
          ...opened,
          close: () => Promise.all([opened.close?.(), folder.remove()]).then(() => undefined),
        };
      } catch (error) {
        await folder.remove();
        throw error;
      }
    },
  };
}

/** The name that marks a source as an archive; undefined if it is not one. */
export function archiveNameOf(spec: LocalSpec): string | undefined {
  const names = spec.kind === "upload" ? [spec.file, spec.name] : [spec.path];
  return names.find((name) => name !== undefined && archiveStem(basename(name)) !== undefined);
}

/** An archive is imported as a folder with its name. */
const headOfArchive = ({ name, identity }: SourceHead): SourceHead => ({
  name: archiveStem(name) ?? name,
  isDirectory: true,
  identity,
});

async function fileOf(
  spec: LocalSpec,
  folder: ScratchFolder,
  uploads: Uploads,
  rules: PathRules,
): Promise<string> {
  if (spec.kind === "upload") return uploads.fileOf(spec.id);
  const copy = join(folder.path, "archive");
  await copyPath(spec.path, copy, rules);
  return copy;
}

function openUpload(uploads: Uploads, spec: Extract<LocalSpec, { kind: "upload" }>): ImportSource {
  const name = legalSegment(spec.name);
  const file = { relPath: [name], read: () => uploads.read(spec.id) };
  return {
    name,
    isDirectory: false,
    identity: identityOf("upload", spec.name),
    files: RESERVED_NAMES.has(name) ? [] : [file],
    bytes: uploads.sizeOf(spec.id),
    warnings: [],
  };
}
