import { createCipheriv, createDecipheriv, type KeyObject } from "node:crypto";

/**
 * Cursors are encrypted and authenticated: the text contains nonce, ciphertext and tag, and cannot be read,
 * changed or forged without the key. Random nonces have 128 bits instead of the usual 96, so that one key is
 * safe for any number of cursors.
 */
export const CURSOR_KEY_BYTES = 32;
export const CURSOR_NONCE_BYTES = 16;

const CIPHER = "aes-256-gcm";
const TAG_BYTES = 16;
const EXPIRY_BYTES = 6;
const LEAST_BYTES = CURSOR_NONCE_BYTES + EXPIRY_BYTES + TAG_BYTES;
/** Maximum length of a cursor in characters; it may contain a path whose URI has 4,096 bytes. */
const MAX_CURSOR_LENGTH = 8192;

export interface CursorContent {
  /** Position at which the list resumes. */
  readonly place: string;
  /** Expiry, Unix time in ms. */
  readonly expires: number;
}

/**
 * Creates a cursor that can only be opened with the same `key` and `binding` (its owner and list). `nonce`
 * must be random. The result is URL-safe.
 */
export function sealCursor(key: KeyObject, binding: string, nonce: Uint8Array, content: CursorContent) {
  const { place, expires } = content;
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(binding));
  const plain = Buffer.allocUnsafe(EXPIRY_BYTES + Buffer.byteLength(place));
  plain.writeUIntBE(expires, 0, EXPIRY_BYTES);
  plain.write(place, EXPIRY_BYTES);
  const sealed = [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString("base64url");
}

/** Opens a cursor; undefined unless `sealCursor` created it with this key and binding. */
export function openCursor(key: KeyObject, binding: string, cursor: string): CursorContent | undefined {
  if (cursor.length > MAX_CURSOR_LENGTH) return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  // reject text that the decoder would accept: foreign characters, and surplus bits in the last one
  if (bytes.length < LEAST_BYTES || bytes.toString("base64url") !== cursor) return undefined;
  const nonce = bytes.subarray(0, CURSOR_NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(binding));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = decipher.update(bytes.subarray(CURSOR_NONCE_BYTES, -TAG_BYTES));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return { expires: plain.readUIntBE(0, EXPIRY_BYTES), place: plain.toString("utf8", EXPIRY_BYTES) };
}
