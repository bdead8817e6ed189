import { itemAt } from "../base/expect.ts";

/** Something to read once, with its size if known. */
interface Readable {
  readonly bytes?: number;
  readonly read: () => Bytes;
}

type Bytes = Promise<Uint8Array | undefined>;

/** Files that are read before it is their turn, at most. */
const READ_AHEAD = 16;
/** A file that may be larger waits for its turn: of what is read ahead all is held at once. */
const MAX_READ_AHEAD_BYTES = 256 * 1024;

/** Files in their order with their bytes; while one is worked on, the small ones that follow are read. */
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
  // told of when it is its turn
  bytes.catch(() => undefined);
  return bytes;
}

/** Files at work at once: enough for every process that reads to have one, while another is stored. */
const MAX_BEGUN = 6;
/** Their bytes, beside those of one more file. */
const MAX_BEGUN_BYTES = 32 * 1024 * 1024;

/** A file in its turn. */
export interface BegunFile<F, T> {
  readonly file: F;
  /** Undefined where it is gone or cannot be read any more. */
  readonly bytes: Uint8Array | undefined;
  /** Undefined where there are no bytes. */
  readonly work: Promise<T> | undefined;
}

/**
 * The files in their order, each with the work that `begin` has begun on its bytes: it is called for a file
 * while those before it are still at work. The promise is awaited in the file's turn, so work that fails
 * fails there.
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
