import { createHash } from "node:crypto";
import { YieldBudget } from "./event-loop.ts";

/** Bytes hashed per turn of the event loop. */
const SLICE_BYTES = 2 * 1024 * 1024;

/** SHA-256 in lower-case hex; strings are hashed as UTF-8. For file contents use `sha256InTurns`. */
export const sha256 = (content: Uint8Array | string): string =>
  createHash("sha256").update(content).digest("hex");

/** SHA-256 in lower-case hex; yields to the event loop, which a large content would block. */
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
