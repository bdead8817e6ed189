import { itemAt } from "../base/expect.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A source that can be read once; its size may be known. */
interface Readable {
  readonly bytes?: number;
  readonly read: () => Bytes;
}

type MemoryOfWorkspace = Pick<Workspace, "contentMemory" | "incarnation">;

type Bytes = Promise<Uint8Array | undefined>;

/** Maximum number of files read ahead. */
const READ_AHEAD = 16;
/** Maximum size of a file that is read ahead; all read-ahead bytes are in memory together. */
const MAX_READ_AHEAD_BYTES = 256 * 1024;

/** Yields files in order with their bytes, while the following small files are already being read. */
export async function* readAhead<F extends Readable>(
  files: readonly F[],
): AsyncGenerator<[file: F, bytes: Uint8Array | undefined]> {
  const reading: (Bytes | undefined)[] = [];
  for (const [at, file] of files.entries()) {
    while (reading.length <= READ_AHEAD && at + reading.length < files.length)
      reading.push(begun(itemAt(files, at + reading.length)));
    yield [file, await (reading.shift() ?? file.read())];
  }
}

function begun(file: Readable): Bytes | undefined {
  if (file.bytes === undefined || file.bytes > MAX_READ_AHEAD_BYTES) return undefined;
  const bytes = file.read();
  // errors are reported when this file is awaited
  bytes.catch(() => undefined);
  return bytes;
}

/**
 * Maximum number of files in progress: enough for all parsing processes while another file is being stored.
 */
const MAX_BEGUN = 6;
/** Total bytes of these files from which no further file is started. */
const MAX_BEGUN_BYTES = 32 * 1024 * 1024;

/**
 * Reserves memory for files that are too large to be in progress beside others. There is one such file at a
 * time, so nothing is held while the next one waits.
 */
export class LargeFiles {
  readonly #workspace: MemoryOfWorkspace;
  readonly #signal: AbortSignal;
  #release: (() => void) | undefined;

  constructor(workspace: MemoryOfWorkspace, signal: AbortSignal) {
    this.#workspace = workspace;
    this.#signal = signal;
  }

  /** The same files, of which the large ones wait for memory before they are read. */
  reserving<F extends Readable>(files: readonly F[]): F[] {
    return files.map((file) => {
      const { bytes = 0 } = file;
      if (bytes < MAX_BEGUN_BYTES) return file;
      const read = async () => {
        // that of a file which was smaller than listed, or gone
        this.release();
        const { contentMemory, incarnation } = this.#workspace;
        this.#release = await contentMemory.reserve(incarnation, bytes, this.#signal);
        return file.read();
      };
      return { ...file, read };
    });
  }

  /** Called when a file has been processed. */
  taken(bytes: Uint8Array | undefined): void {
    if (bytes && bytes.length >= MAX_BEGUN_BYTES) this.release();
  }

  release(): void {
    this.#release?.();
    this.#release = undefined;
  }
}

/** A file whose processing has started. */
export interface BegunFile<F, T> {
  readonly file: F;
  /** Undefined if the file is gone or unreadable. */
  readonly bytes: Uint8Array | undefined;
  /** Undefined if `bytes` is. */
  readonly work: Promise<T> | undefined;
}

/**
 * Yields files in order, each with the work that `begin` started while earlier files were still in progress.
 * Callers await the work in order, so failures are reported for the right file.
 */
export async function* beginAhead<F, T>(
  files: AsyncIterable<readonly [file: F, bytes: Uint8Array | undefined]>,
  begin: (file: F, bytes: Uint8Array) => Promise<T>,
): AsyncGenerator<BegunFile<F, T>> {
  const ahead: BegunFile<F, T>[] = [];
  let held = 0;
  const next = () => {
    const first = itemAt(ahead, 0);
    ahead.shift();
    held -= first.bytes?.length ?? 0;
    return first;
  };
  for await (const [file, bytes] of files) {
    const work = bytes && begin(file, bytes);
    // the caller may stop before this file
    work?.catch(() => undefined);
    ahead.push({ file, bytes, work });
    held += bytes?.length ?? 0;
    while (ahead.length >= MAX_BEGUN || held >= MAX_BEGUN_BYTES) yield next();
  }
  while (ahead.length > 0) yield next();
}

/**
 * Yields files in order, each with the work that `begin` started. Small files are read ahead; a large one waits
 * for memory, which is released once the caller asks for the next file or stops.
 */
export async function* readInOrder<F extends Readable, T>(
  files: readonly F[],
  workspace: MemoryOfWorkspace,
  signal: AbortSignal,
  begin: (file: F, bytes: Uint8Array) => Promise<T>,
): AsyncGenerator<BegunFile<F, T>> {
  const large = new LargeFiles(workspace, signal);
  try {
    for await (const begun of beginAhead(readAhead(large.reserving(files)), begin)) {
      yield begun;
      large.taken(begun.bytes);
    }
  } finally {
    large.release();
  }
}
