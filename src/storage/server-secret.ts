import { randomBytes } from "node:crypto";
import { isText, RecordKind } from "./record-codec.ts";
import type { ServerFacts } from "./server-facts.ts";

/**
 * A random secret that all servers of a store share, created at the first start. It is stored as a record
 * instead of a file: it is part of backups, damage is detected, and the permissions of the store protect it,
 * like the hashes of API keys.
 */
export async function settledSecret(facts: ServerFacts, fact: string, bytes: number): Promise<Uint8Array> {
  const kind = new RecordKind<string>(
    `${fact} key`,
    (value) => isText(value) && Buffer.from(value, "base64").byteLength === bytes,
  );
  return Buffer.from(await facts.settle(fact, kind, randomBytes(bytes).toString("base64")), "base64");
}
