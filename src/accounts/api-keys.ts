import { randomBytes, timingSafeEqual } from "node:crypto";
import { sha256 } from "../base/sha256.ts";

const KEY_BYTES = 32;

/** Generates a key, and the hash that is stored instead of it. */
export function generateKey(): { readonly key: string; readonly hash: string } {
  const key = `ctx_${randomBytes(KEY_BYTES).toString("base64url")}`;
  return { key, hash: sha256(key) };
}

/** Constant-time comparison of two hashes. */
export const sameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
