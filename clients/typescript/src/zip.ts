import { Zip, ZipDeflate } from "fflate";
import { CtxdbError } from "./errors.ts";

/** Limits of an archive without ZIP64. */
const MAX_FILES = 65_535;
const LEVEL = 4;

/** A file to add to an archive. */
export interface ZipInput {
  /** Path with `/` between its segments. */
  readonly path: string;
  readonly modified: Date;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** Streams a zip archive; each file is opened when the previous one has been read. */
export async function* zipOf(files: AsyncIterable<ZipInput>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    ready.push(piece);
  });
  let count = 0;
  for await (const file of files) {
    if (++count > MAX_FILES)
      throw new CtxdbError("INVALID_ARGUMENT", `path: more than ${MAX_FILES} files in one folder`, {
        field: "path",
      });
    const member = new ZipDeflate(file.path, { level: LEVEL });
    member.mtime = file.modified;
    zip.add(member);
    for await (const piece of file.bytes()) {
      member.push(piece);
      yield* taken(ready);
    }
    member.push(new Uint8Array(0), true);
    yield* taken(ready);
  }
  zip.end();
  yield* taken(ready);
}

function* taken(ready: Uint8Array[]): Generator<Uint8Array> {
  yield* ready.splice(0);
}
