/** What can be read once, and how many bytes that gives, where it is known. */
interface Readable {
  readonly bytes?: number;
  readonly read: () => Bytes;
}

type Bytes = Promise<Uint8Array | undefined>;

/** Files that are read before it is their turn, at most. */
const AHEAD = 16;
/** A file that may be larger waits for its turn: of what is read ahead all is held at once. */
const MAX_AHEAD_BYTES = 256 * 1024;

/** Files in their order with their bytes; while one is worked on, the small ones that follow are read. */
export async function* readAhead<F extends Readable>(files: readonly F[]): AsyncGenerator<[file: F, bytes: Uint8Array | undefined]> {
  const reading: (Bytes | undefined)[] = [];
  for (const [at, file] of files.entries()) {
    while (reading.length <= AHEAD && at + reading.length < files.length) reading.push(begun(files[at + reading.length]!));
    yield [file, await (reading.shift() ?? file.read())];
  }
}

function begun(file: Readable): Bytes | undefined {
  if (file.bytes === undefined || file.bytes > MAX_AHEAD_BYTES) return undefined;
  const bytes = file.read();
  // told of when it is its turn
  bytes.catch(() => undefined);
  return bytes;
}
