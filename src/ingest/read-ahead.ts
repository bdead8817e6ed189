import { itemAt } from "../base/expect.ts";

/** Something to read once, with its size if known. */
interface Readable {
  readonly bytes?: number;
  readonly read: () => Bytes;
}

type Bytes = Promise<Uint8Array | undefined>;

/** Limit of files that are read ahead. */
const READ_AHEAD = 16;
/** Larger files are not read ahead: all read-ahead bytes are in memory at once. */
const MAX_READ_AHEAD_BYTES = 256 * 1024;

/** Files in order with their bytes; during the work on one, the following small ones are read. */
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
  // reported in its turn
  bytes.catch(() => undefined);
  return bytes;
}

/** Limit of files in progress: enough for every parsing process, while another file is stored. */
const MAX_BEGUN = 6;
/** Limit of their bytes, besides those of one more file. */
const MAX_BEGUN_BYTES = 32 * 1024 * 1024;

/** A file whose work has begun, when its turn comes. */
export interface BegunFile<F, T> {
  readonly file: F;
  /** Undefined if it is gone or unreadable. */
  readonly bytes: Uint8Array | undefined;
  /** Undefined without bytes. */
  readonly work: Promise<T> | undefined;
}

/**
 * The files in order, each with the work that `begin` started on its bytes, while earlier files are still in
 * progress. The promise is awaited in the file's turn, so its failure is reported there.
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
    // its turn may never come
    work?.catch(() => undefined);
    ahead.push({ file, bytes, work });
    held += bytes?.length ?? 0;
    while (ahead.length >= MAX_BEGUN || held >= MAX_BEGUN_BYTES) yield next();
  }
  while (ahead.length > 0) yield next();
}
