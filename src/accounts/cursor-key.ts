import { randomBytes } from "node:crypto";
import { CURSOR_KEY_BYTES } from "../domain/cursor.ts";
import type { Kv } from "../storage/kv.ts";

const KEY = "s/cursor";

/**
 * The secret key of the cursors, made at the first start. It is a record of the store and no file, so that a
 * backup holds it, damage to it is found, and it has the access rights of the data directory as the hashes of
 * API keys have.
 */
export async function cursorKey(kv: Kv): Promise<Uint8Array> {
  return kv.transact((read) => {
    const stored = read.get(KEY);
    if (stored?.byteLength === CURSOR_KEY_BYTES) return { ops: [], apply: () => stored };
    const made = randomBytes(CURSOR_KEY_BYTES);
    return { ops: [{ key: KEY, value: made }], apply: () => made };
  });
}
