import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { Unreadable } from "../unreadable.ts";

const MAX_PARTS = 20_000;
/** Maximum unpacked bytes of all parts, and of the parts with text. */
const MAX_BYTES = 2 * 1024 ** 3;
const MAX_TEXT_BYTES = 192 * 1024 * 1024;
const MAX_PART_BYTES = 96 * 1024 * 1024;
const IS_TEXT = /\.(?:xml|rels|opf|ncx|x?html?|vml)$|^mimetype$/i;
/** Magic number of compound files, used by old programs and for encrypted documents. */
const COMPOUND_MAGIC = [0xd0, 0xcf, 0x11, 0xe0];

/**
 * A document that is a zip file of parts: Office Open XML, OpenDocument, EPUB. Part names are only keys; no
 * file is written with such a name.
 */
export class Package {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #left = MAX_TEXT_BYTES;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Reads the zip directory. Throws Unreadable if it is invalid, encrypted, or declares too much content. */
  static async open(bytes: Uint8Array): Promise<Package> {
    if (COMPOUND_MAGIC.every((byte, i) => bytes[i] === byte))
      throw new Unreadable("it is encrypted, or in a format from before 2007");
    try {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const zip = await fromBufferPromise(buffer, {
        autoClose: false,
        decodeStrings: true,
        validateEntrySizes: true,
      });
      return new Package(zip, await directory(zip));
    } catch (error) {
      throw error instanceof Unreadable
        ? error
        : new Unreadable("its zip archive is damaged or incomplete", error);
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  names(pattern: RegExp): string[] {
    return [...this.#entries.keys()].filter((name) => pattern.test(name));
  }

  /**
   * The text of a part; undefined if the part is missing. Throws Unreadable if the content does not match the
   * zip directory, or all texts read so far are too large.
   */
  async text(name: string): Promise<string | undefined> {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    const bytes = await this.#unpack(entry);
    const encoding =
      bytes[0] === 0xff && bytes[1] === 0xfe
        ? "utf-16le"
        : bytes[0] === 0xfe && bytes[1] === 0xff
          ? "utf-16be"
          : "utf-8";
    return new TextDecoder(encoding).decode(bytes);
  }

  /**
   * Verifies every part with text, for readers that unpack the file themselves: sizes, checksums, and the
   * absence of entity definitions, which no office program writes.
   */
  async check(): Promise<void> {
    for (const [name, entry] of this.#entries) {
      if (IS_TEXT.test(name) && (await this.#unpack(entry)).includes("<!ENTITY"))
        throw new Unreadable("it defines XML entities, which are not allowed");
    }
    this.#left = MAX_TEXT_BYTES;
  }

  async #unpack(entry: Entry): Promise<Buffer> {
    this.#left -= entry.uncompressedSize;
    if (entry.uncompressedSize > MAX_PART_BYTES || this.#left < 0)
      throw new Unreadable("it unpacks to more text than the limit of a document");
    try {
      const parts: Uint8Array[] = [];
      const stream: AsyncIterable<Uint8Array> = await this.#zip.openReadStreamPromise(entry);
      for await (const part of stream) parts.push(part);
      const bytes = Buffer.concat(parts);
      if (crc32(bytes) !== entry.crc32) throw new Error("wrong sum");
      return bytes;
    } catch (error) {
      throw new Unreadable("its archive is damaged", error);
    }
  }
}

async function directory(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  let packed = 0;
  if (zip.entryCount > MAX_PARTS) throw new Unreadable(`it has more than ${MAX_PARTS} parts`);
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith("/")) continue;
    if (entry.isEncrypted()) throw new Unreadable("it is encrypted");
    if (entries.has(entry.fileName)) throw new Unreadable("it has two parts with the same name");
    bytes += entry.uncompressedSize;
    packed += entry.compressedSize;
    // overlapping parts add up to more than the file
    if (bytes > MAX_BYTES || packed > zip.fileSize)
      throw new Unreadable("the directory of its archive is damaged");
    entries.set(entry.fileName, entry);
  }
  return entries;
}
