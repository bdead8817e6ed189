import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { inflateRawSync } from "node:zlib";
import { type Entry, RandomAccessReader } from "yauzl";

const HEADER_BYTES = 30;
const SIGNATURE = 0x04034b50;
const STORED = 0;
/** Minimum buffer size of zlib in bytes. */
const MIN_CHUNK = 64;
/** Maximum size of a member, packed and unpacked, that is read through the window. */
const MAX_MEMBER_BYTES = 64 * 1024;
/** Size of the window; includes room for names and extra fields of headers. */
const WINDOW_BYTES = 4 * MAX_MEMBER_BYTES;

/** Callback of the library; too few bytes indicate a truncated archive. */
type Told = (error: Error | null, bytesRead?: number) => void;

/**
 * Reads a zip file in large pieces: one read serves the directory, or many small members requested in file
 * order. A stream per small member would be much slower.
 */
export class ZipWindow extends RandomAccessReader {
  /** Size of the file in bytes. */
  readonly size: number;
  readonly #file: FileHandle;
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;

  private constructor(file: FileHandle, size: number) {
    super();
    this.#file = file;
    this.size = size;
  }

  static async open(path: string): Promise<ZipWindow> {
    const file = await open(path);
    try {
      return new ZipWindow(file, (await file.stat()).size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  override _readStreamForRange(start: number, end: number): Readable {
    // a stream of the file handle would close it if not read to the end
    return Readable.from(this.#parts(start, end), { objectMode: false });
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, callback: Told): void {
    if (length > WINDOW_BYTES) {
      this.#file
        .read(buffer, offset, length, position)
        .then(({ bytesRead }) => callback(null, bytesRead), callback);
      return;
    }
    this.#part(position, length).then((part) => callback(null, part.copy(buffer, offset)), callback);
  }

  /** Closes the archive; later reads fail. */
  end(): Promise<void> {
    return this.#file.close();
  }

  takes({ compressedSize, uncompressedSize }: Entry): boolean {
    return compressedSize <= MAX_MEMBER_BYTES && uncompressedSize <= MAX_MEMBER_BYTES;
  }

  /**
   * Reads a member that fits the window. Throws if its size differs from the directory. The checksum is not
   * verified.
   */
  async member(entry: Entry): Promise<Uint8Array> {
    const at = entry.relativeOffsetOfLocalHeader;
    const head = await this.#part(at, HEADER_BYTES);
    if (head.readUInt32LE(0) !== SIGNATURE) throw new Error("no header of a member");
    const begin = at + HEADER_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
    const packed = await this.#part(begin, entry.compressedSize);
    const size = entry.uncompressedSize;
    // slightly larger than expected, so that one call reaches the end
    const bytes =
      entry.compressionMethod === STORED
        ? Uint8Array.from(packed)
        : inflateRawSync(packed, { chunkSize: size + MIN_CHUNK, maxOutputLength: size + MIN_CHUNK });
    if (bytes.byteLength !== size) throw new Error("the length of a member differs");
    return bytes;
  }

  async *#parts(start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end; ) {
      const part = Buffer.allocUnsafe(Math.min(MAX_MEMBER_BYTES, end - at));
      const { bytesRead } = await this.#file.read(part, 0, part.byteLength, at);
      if (bytesRead === 0) return;
      yield part.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  async #part(start: number, length: number): Promise<Buffer> {
    const from = start - this.#start;
    if (from >= 0 && from + length <= this.#bytes.byteLength)
      return this.#bytes.subarray(from, from + length);
    const window = Buffer.allocUnsafeSlow(WINDOW_BYTES);
    const { bytesRead } = await this.#file.read(window, 0, WINDOW_BYTES, start);
    if (bytesRead < length) throw new Error("the archive ends within a member");
    this.#bytes = window.subarray(0, bytesRead);
    this.#start = start;
    return this.#bytes.subarray(0, length);
  }
}
