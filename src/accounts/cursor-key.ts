import { randomBytes } from "node:crypto";
import { CURSOR_KEY_BYTES } from "../domain/cursor.ts";
import type { ServerFacts } from "../storage/facts.ts";
import { isText, RecordKind } from "../storage/records.ts";

const CURSOR_KEYS = new RecordKind<string>(
  "cursor key",
  (value) => isText(value) && Buffer.from(value, "base64").byteLength === CURSOR_KEY_BYTES,
);

/**
 * The secret key of the cursors, made at the first start. It is a record in the store, not a file: backups
 * hold it, damage to it is detected, and it is protected by the access rights of the data directory, like the
 * hashes of API keys.
 */
export async function cursorKey(facts: ServerFacts): Promise<Uint8Array> {
  const made = randomBytes(CURSOR_KEY_BYTES).toString("base64");
  return Buffer.from(await facts.settle("cursor", CURSOR_KEYS, made), "base64");
}
