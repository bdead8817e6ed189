import { isUtf8 } from "node:buffer";

/** The text of a file, and how it was decoded. */
export interface Decoded {
  readonly text: string;
  /** utf-8, utf-16le, utf-16be, gbk, windows-1252, or the label declared by an HTML file. */
  readonly encoding: string;
  /** Whether invalid bytes were replaced by U+FFFD. */
  readonly damaged: boolean;
}

const SAMPLE_BYTES = 64 * 1024;
/** Bytes from which the encoding of a long text is detected: as many as `decode` looks at. */
const LONG_SAMPLE_BYTES = 4 * SAMPLE_BYTES;
/** Bytes of a long text that are decoded per step: in UTF-8, and in other encodings, which take longer. */
const PLAIN_PIECE_BYTES = 1024 * 1024;
const PIECE_BYTES = 128 * 1024;
/** Maximum bytes of a character in any encoding. */
const LONGEST_CHARACTER = 4;
/** Share of control characters above which the content counts as binary. */
const MAX_CONTROLS = 0.02;
/** Minimum share of NULs among the high or low bytes of UTF-16 text in Latin script. */
const MIN_UTF16_NULS = 0.3;
/** Minimum share of high bytes in GBK text that are part of common character pairs. */
const MIN_GBK_PAIRS = 0.9;
/** Share of damaged non-ASCII characters above which other encodings than UTF-8 are tried. */
const MAX_DAMAGE = 0.1;
/**
 * First byte of a byte order mark in UTF-8, and the lowest character whose UTF-8 encoding starts with that
 * byte.
 */
const FIRST_OF_MARK = 0xef;
const FIRST_OF_EF = 0xf000;
/** Magic numbers of binary formats that look like text at first. */
const BINARY_MAGIC = [
  "%PDF-",
  "PK\u0003\u0004",
  "{\\rtf",
  "%!PS-",
  "\u0089PNG",
  "GIF8",
  "\u00ff\u00d8\u00ff",
  "ID3",
];

/**
 * Decodes a file; undefined for binary content (NULs, control characters, magic numbers). A byte order mark
 * decides and is dropped. Otherwise tries UTF-8, UTF-16 (by its NULs), `label` (a charset from HTML), GBK (by
 * its byte pairs), and finally windows-1252, which accepts anything.
 */
export function decode(bytes: Uint8Array, label?: string): Decoded | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return checked(decoded(bytes.subarray(3), "utf-8"));
  if (a === 0xff && b === 0xfe) return checked(decoded(bytes.subarray(2), "utf-16le"));
  if (a === 0xfe && b === 0xff) return checked(decoded(bytes.subarray(2), "utf-16be"));
  if (hasBinaryMagic(bytes)) return undefined;
  const wide = utf16Pattern(bytes);
  if (wide) return checked(decoded(bytes, wide));
  if (bytes.subarray(0, SAMPLE_BYTES).includes(0)) return undefined;
  return checked(strictly(bytes, "utf-8") ?? foreign(bytes, label));
}

/**
 * Accepts a text that was decoded as UTF-8 with replacement characters; undefined unless `textOf` would
 * certainly return the same.
 */
export const plainText = (read: string): string | undefined =>
  !(read.charCodeAt(0) >= FIRST_OF_EF) && !read.includes("\ufffd") && !read.includes("\0") ? read : undefined;

/** Like `decode`, for content that is known to be text; much faster for plain UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  const isPlain = bytes[0] !== FIRST_OF_MARK && isUtf8(bytes) && !bytes.includes(0);
  return isPlain
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
    : decode(bytes)?.text;
}

/** Like `decode`, for the beginning of a file: at least 64 Ki characters, if there are as many. */
export const decodeBeginning = (bytes: Uint8Array): Decoded | undefined =>
  decode(bytes.byteLength <= LONG_SAMPLE_BYTES ? bytes : sampleOf(bytes));

/** Like `textOf`, in steps of a few milliseconds. */
export function* textSteps(bytes: Uint8Array): Generator<undefined, string | undefined> {
  if (bytes.byteLength <= LONG_SAMPLE_BYTES) return textOf(bytes);
  const plain = yield* plainSteps(bytes);
  if (plain !== undefined) return plain;
  const encoding = decode(sampleOf(bytes))?.encoding;
  if (encoding === undefined) return undefined;
  const decoder = new TextDecoder(encoding);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
    yield;
    pieces.push(decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true }));
  }
  pieces.push(decoder.decode());
  return pieces.join("");
}

/** The text of bytes that are plain UTF-8; undefined if they need `decode`. */
function* plainSteps(bytes: Uint8Array): Generator<undefined, string | undefined> {
  if (bytes[0] === FIRST_OF_MARK) return undefined;
  const pieces: string[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    const piece = bytes.subarray(at, endOfPiece(bytes, at));
    if (!isUtf8(piece) || piece.includes(0)) return undefined;
    pieces.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString());
    at += piece.byteLength;
    yield;
  }
  return pieces.join("");
}

/** End of the piece at `start`; it does not divide a character. */
function endOfPiece(bytes: Uint8Array, start: number): number {
  const end = Math.min(start + PLAIN_PIECE_BYTES, bytes.byteLength);
  for (let at = end; at > end - LONGEST_CHARACTER; at--) if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return at;
  return end;
}

/** The beginning of a long text, without a last character that may be incomplete. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  let end = LONG_SAMPLE_BYTES;
  while (end > LONG_SAMPLE_BYTES - LONGEST_CHARACTER && (bytes[end - 1] ?? 0) >= 0x80) end--;
  return bytes.subarray(0, end);
}

function foreign(bytes: Uint8Array, label: string | undefined): Decoded {
  const named = label === undefined || /^utf-?8$/i.test(label) ? undefined : strictly(bytes, label);
  if (named) return named;
  // a character has at most three bytes per UTF-16 unit
  const sample = decoded(bytes.subarray(0, 4 * SAMPLE_BYTES), "utf-8").text.slice(0, SAMPLE_BYTES);
  const foreignCharacters = sample.match(/[^\x00-\x7f]/g)?.length ?? 0;
  const damaged = sample.match(/\ufffd/g)?.length ?? 0;
  if (damaged < foreignCharacters * MAX_DAMAGE || foreignCharacters === 0) return decoded(bytes, "utf-8");
  if (looksLikeGbk(bytes)) return { ...decoded(bytes, "gb18030"), encoding: "gbk" };
  return { text: windows1252(bytes), encoding: "windows-1252", damaged: false };
}

/** The UTF-16 units of the bytes in windows-1252. */
const UNITS = Uint16Array.from(
  new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
  (character) => character.charCodeAt(0),
);

/** Several times as fast as TextDecoder. */
function windows1252(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) units[i] = UNITS[bytes[i] ?? 0] ?? 0;
  return Buffer.from(units.buffer).toString("utf16le");
}

function strictly(bytes: Uint8Array, encoding: string): Decoded | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    return { text: decoder.decode(bytes), encoding: decoder.encoding, damaged: false };
  } catch {
    return undefined;
  }
}

function decoded(bytes: Uint8Array, encoding: string): Decoded {
  const text = new TextDecoder(encoding).decode(bytes);
  return { text, encoding, damaged: text.includes("\ufffd") };
}

/** Undefined if a sample of the text has too many control characters. */
function checked(result: Decoded): Decoded | undefined {
  const sample = result.text.slice(0, SAMPLE_BYTES);
  const controls = sample.match(/[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]/g)?.length ?? 0;
  const damage = result.encoding.startsWith("utf-16")
    ? (sample.match(/[\ufffd\uffff\ufffe]/g)?.length ?? 0)
    : 0;
  return controls + damage > sample.length * MAX_CONTROLS || sample.includes("\0") ? undefined : result;
}

function hasBinaryMagic(bytes: Uint8Array): boolean {
  return BINARY_MAGIC.some(
    (magic) =>
      bytes.length >= magic.length && [...magic].every((symbol, i) => bytes[i] === symbol.charCodeAt(0)),
  );
}

function utf16Pattern(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const length = Math.min(bytes.length, SAMPLE_BYTES) & ~1;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < length; i += 2) {
    if (bytes[i] === 0) even++;
    if (bytes[i + 1] === 0) odd++;
  }
  const enough = (length / 2) * MIN_UTF16_NULS;
  if (length < 4) return undefined;
  if (odd >= enough && even === 0) return "utf-16le";
  return even >= enough && odd === 0 ? "utf-16be" : undefined;
}

/**
 * Whether bytes look like GBK: common characters of GB 2312 are two high bytes, while in Latin text high
 * bytes are mostly single.
 */
function looksLikeGbk(bytes: Uint8Array): boolean {
  let high = 0;
  let paired = 0;
  const length = Math.min(bytes.length, SAMPLE_BYTES);
  for (let i = 0; i < length; i++) {
    const lead = bytes[i]!;
    if (lead < 0x80) continue;
    const trail = bytes[i + 1] ?? 0;
    if (lead >= 0xa1 && lead <= 0xf7 && trail >= 0xa1) {
      high += 2;
      paired += 2;
      i++;
    } else high++;
  }
  return high > 0 && paired >= high * MIN_GBK_PAIRS;
}
