/** Files at work at once: enough for every process that reads to have one, while another is stored. */
const MAX_AHEAD = 6;
/** Their bytes, beside those of one more file. */
const MAX_AHEAD_BYTES = 32 * 1024 * 1024;

/** A file in its turn. */
export interface BegunFile<F, T> {
  readonly file: F;
  /** Undefined where it is gone or cannot be read any more. */
  readonly bytes: Uint8Array | undefined;
  /** Undefined where there is nothing to do. */
  readonly work: Promise<T> | undefined;
}

/**
 * The files in their order, each with the work that `begin` has begun on its bytes: it is called for a file while those before it are still at work. The promise is
 * awaited in the file's turn, so work that fails fails there.
 */
export async function* beginAhead<F, T>(
  files: AsyncIterable<readonly [file: F, bytes: Uint8Array | undefined]>,
  begin: (file: F, bytes: Uint8Array) => Promise<T> | undefined,
): AsyncGenerator<BegunFile<F, T>> {
  const ahead: BegunFile<F, T>[] = [];
  let held = 0;
  const next = () => {
    const first = ahead.shift()!;
    held -= first.bytes?.length ?? 0;
    return first;
  };
  for await (const [file, bytes] of files) {
    const work = bytes && begin(file, bytes);
    // its turn may never come
    work?.catch(() => undefined);
    ahead.push({ file, bytes, work });
    held += bytes?.length ?? 0;
    while (ahead.length >= MAX_AHEAD || held >= MAX_AHEAD_BYTES) yield next();
  }
  while (ahead.length > 0) yield next();
}
