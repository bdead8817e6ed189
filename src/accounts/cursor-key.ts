import { randomBytes } from "node:crypto";
import { CURSOR_KEY_BYTES } from "../domain/cursor.ts";
import type { Kv } from "../storage/kv.ts";

const KEY = "s/cursor";

/**
 * The secret key of the cursors, made at the first start. It is a record in the store, not a file: backups
 * hold it, damage to it is detected, and it is protected by the access rights of the data directory, like the
 * hashes of API keys.
 */
export async function cursorKey(kv: Kv): Promise<Uint8Array> {
  return kv.transact((read) => {
    const stored = read.get(KEY);
    if (stored?.byteLength === CURSOR_KEY_BYTES) return { ops: [], apply: () => stored };
    const made = randomBytes(CURSOR_KEY_BYTES);
    return { ops: [{ key: KEY, value: made }], apply: () => made };
  });
}
