import { randomBytes } from "node:crypto";
import { CURSOR_KEY_BYTES } from "../domain/cursor.ts";
import type { ServerFacts } from "../storage/facts.ts";
import { isText, RecordKind } from "../storage/records.ts";

const CURSOR_KEYS = new RecordKind<string>(
  "cursor key",
  (value) => isText(value) && Buffer.from(value, "base64").byteLength === CURSOR_KEY_BYTES,
);

/**
 * The secret key for cursors, created at the first start. It is stored as a record instead of a file: it is
 * part of backups, damage is detected, and the permissions of the data directory protect it, like the hashes
 * of API keys.
 */
export async function cursorKey(facts: ServerFacts): Promise<Uint8Array> {
  const made = randomBytes(CURSOR_KEY_BYTES).toString("base64");
  return Buffer.from(await facts.settle("cursor", CURSOR_KEYS, made), "base64");
}
