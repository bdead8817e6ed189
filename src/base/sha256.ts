import { createHash } from "node:crypto";
import { YieldBudget } from "./event-loop.ts";

/** Bytes hashed per turn of the event loop: takes some 5 ms. */
const SLICE_BYTES = 2 * 1024 * 1024;

/**
 * SHA-256 in lower-case hex; a string counts as its UTF-8 bytes. For contents of files use `sha256InTurns`.
 */
export const sha256 = (content: Uint8Array | string): string =>
  createHash("sha256").update(content).digest("hex");

/** The same for any number of bytes: 64 MiB at once would block the event loop for a tenth of a second. */
export async function sha256InTurns(content: Uint8Array): Promise<string> {
  if (content.byteLength <= SLICE_BYTES) return sha256(content);
  const hash = createHash("sha256");
  const turns = new YieldBudget(SLICE_BYTES);
  for (let at = 0; at < content.byteLength; at += SLICE_BYTES) {
    hash.update(content.subarray(at, at + SLICE_BYTES));
    await turns.spend(SLICE_BYTES);
  }
  return hash.digest("hex");
}
