import { createReadStream, createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Budget, Lease } from "../base/budget.ts";
import { present } from "../base/expect.ts";
import { codeOf } from "../base/faults.ts";
import { invalidArgument, ServiceError } from "../domain/errors.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import type { Scratch, ScratchFolder } from "../storage/scratch.ts";
import { type ArchiveLimits, checkRatio, type FileArchive, filesOfArchive, TAR_OVERHEAD } from "./archive.ts";
import type { ImportFilter } from "./import-filter.ts";
import type { ImportSource } from "./source.ts";

export interface SourceArchiveLimits extends ArchiveLimits {
  /** Maximum bytes per file, as for uploads. */
  readonly maxFileBytes: number;
}

/** Scratch folder and account for unpacking an archive. */
export interface Unpacking {
  readonly scratch: Scratch;
  /** Scratch disk budget in bytes, by account. */
  readonly room: Budget<number>;
  readonly workspace: WorkspaceId;
  readonly limits: SourceArchiveLimits;
  readonly signal: AbortSignal;
}

/** Unpacked bytes after which the budget is charged again. */
const CHARGED_BYTES = 1024 * 1024;
/** Maximum charge for one archive: a large archive is unpacked only while its account unpacks no other. */
export const MAX_CHARGED_BYTES = 1024 * 1024 * 1024;

/** Charges the bytes of an archive so far. Throws RESOURCE_EXHAUSTED if there is no room. */
export function charge(lease: Lease, bytes: number): void {
  if (bytes > lease.amount && lease.amount < MAX_CHARGED_BYTES)
    lease.resize(Math.min(bytes + CHARGED_BYTES, MAX_CHARGED_BYTES));
}

type Kind = "zip" | "tar" | "tar.gz";

const KINDS: Readonly<Record<string, Kind>> = {
  ".zip": "zip",
  ".tar": "tar",
  ".tar.gz": "tar.gz",
  ".tgz": "tar.gz",
};
const GZIP = Buffer.from([0x1f, 0x8b]);

/** An archive's name without extension; undefined if the name is not that of an archive. */
export function archiveStem(name: string): string | undefined {
  const extension = extensionIn(name);
  return extension === undefined ? undefined : name.slice(0, -extension.length);
}

const extensionIn = (name: string): string | undefined =>
  Object.keys(KINDS).find(
    (extension) => name.length > extension.length && name.toLowerCase().endsWith(extension),
  );

/**
 * Opens an archive on disk and lists the files that an import includes; `name` determines its format. Throws
 * INVALID_ARGUMENT naming `limits.field` if it is damaged, hostile or too large. `close` deletes unpacked
 * files.
 */
export async function openArchive(
  file: string,
  name: string,
  filter: ImportFilter,
  deps: Unpacking,
): Promise<Pick<ImportSource, "files" | "bytes" | "warnings" | "close">> {
  const folder = await deps.scratch.folder();
  const lease = deps.room.take(deps.workspace, 0);
  let archive: FileArchive | undefined;
  const close = async () => {
    await archive?.close();
    await folder.remove();
    lease.release();
  };
  try {
    archive = await openKind(
      present(KINDS[extensionIn(name) ?? ""], `kind of archive for ${name}`),
      file,
      folder,
      { ...deps, lease },
    );
    return { ...(await filesOfArchive(archive, filter, deps.limits.maxFileBytes)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openKind(
  kind: Kind,
  file: string,
  folder: ScratchFolder,
  { limits, signal, lease }: Pick<Unpacking, "limits" | "signal"> & { readonly lease: Lease },
): Promise<FileArchive> {
  if (kind === "zip") {
    const { openZip } = await import("./zip.ts");
    return openZip(file, { ...limits, skipOthers: true });
  }
  const { openTar } = await import("./tar.ts");
  // detect compression by content: clients often decompress a .tar.gz in transit, or the reverse
  return openTar(
    (await startsWith(file, GZIP)) ? await unpacked(file, folder, { limits, signal, lease }) : file,
    limits,
  );
}

async function unpacked(
  file: string,
  folder: ScratchFolder,
  {
    limits,
    signal,
    lease,
  }: { readonly limits: ArchiveLimits; readonly signal: AbortSignal; readonly lease: Lease },
): Promise<string> {
  const target = join(folder.path, "unpacked.tar");
  const { size } = await stat(file);
  let bytes = 0;
  const counted = async function* (parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      bytes += part.length;
      checkRatio(size, bytes, limits.field);
      charge(lease, bytes);
      if (bytes > limits.maxBytes * TAR_OVERHEAD)
        throw invalidArgument(limits.field, `the archive unpacks to more than ${limits.maxBytes} bytes`);
      yield part;
    }
  };
  try {
    await pipeline(createReadStream(file), createGunzip(), counted, createWriteStream(target), { signal });
  } catch (error) {
    signal.throwIfAborted();
    const isOurs = error instanceof ServiceError || !codeOf(error).startsWith("Z_");
    throw isOurs ? error : invalidArgument(limits.field, "must be a complete, undamaged gzip archive");
  }
  return target;
}

async function startsWith(file: string, magic: Buffer): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0);
    return bytesRead === magic.length && buffer.equals(magic);
  } finally {
    await handle.close();
  }
}
