import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";

/**
 * Cursors are encrypted and authenticated: the text holds salt, ciphertext and tag, and nobody can read,
 * change or make one without the key. Each cursor is encrypted with a key of its own, derived from the
 * server's key and the salt, so that the fixed nonce is never used twice with one key.
 */
export const CURSOR_KEY_BYTES = 32;
export const CURSOR_SALT_BYTES = 16;

const CIPHER = "aes-256-gcm";
const NONCE = Buffer.alloc(12);
const TAG_BYTES = 16;
const EXPIRY_BYTES = 6;
const LEAST_BYTES = CURSOR_SALT_BYTES + EXPIRY_BYTES + TAG_BYTES;
/** Characters. A place holds a path, whose URI has at most 4,096 bytes. */
const MAX_CURSOR_LENGTH = 8192;

/** What a cursor holds. */
export interface CursorContent {
  /** Where the list goes on. */
  readonly place: string;
  /** Unix time in ms from which the cursor is refused. */
  readonly expires: number;
}

/**
 * A cursor that opens only with the same `key` and `binding`: whose cursor it is, and of which list. `salt`
 * must be random. URL-safe text.
 */
export function sealCursor(key: Uint8Array, binding: string, salt: Uint8Array, content: CursorContent) {
  const { place, expires } = content;
  const cipher = createCipheriv(CIPHER, saltedKey(key, salt), NONCE);
  cipher.setAAD(Buffer.from(binding));
  const head = Buffer.alloc(EXPIRY_BYTES);
  head.writeUIntBE(expires, 0, EXPIRY_BYTES);
  const ciphertext = [cipher.update(head), cipher.update(place, "utf8"), cipher.final()];
  const sealed = [salt, ...ciphertext, cipher.getAuthTag()];
  return Buffer.concat(sealed).toString("base64url");
}

/** What a cursor holds; undefined for a text that `sealCursor` did not return for this key and binding. */
export function openCursor(key: Uint8Array, binding: string, cursor: string): CursorContent | undefined {
  if (cursor.length > MAX_CURSOR_LENGTH) return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  // the decoder skips characters that are not of its alphabet, and bits that the last one has too many
  if (bytes.length < LEAST_BYTES || bytes.toString("base64url") !== cursor) return undefined;
  const salt = bytes.subarray(0, CURSOR_SALT_BYTES);
  const decipher = createDecipheriv(CIPHER, saltedKey(key, salt), NONCE, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(binding));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const content = decipher.update(bytes.subarray(CURSOR_SALT_BYTES, -TAG_BYTES));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return { expires: content.readUIntBE(0, EXPIRY_BYTES), place: content.toString("utf8", EXPIRY_BYTES) };
}

function saltedKey(key: Uint8Array, salt: Uint8Array): Buffer {
  return createHmac("sha256", key).update("cursor").update(salt).digest();
}
