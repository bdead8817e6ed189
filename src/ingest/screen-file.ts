import { decode } from "../domain/text/decode.ts";
import type { FoundIn, FoundSecrets } from "../workspace/found-secrets.ts";
import type { SecretGuard } from "../workspace/secret-guard.ts";
import { formatOf } from "./parse/binary-formats.ts";

/** Number of bytes at the start of a file from which binary content is detected. */
const SAMPLE_BYTES = 16 * 1024;

/**
 * The content to store instead of a file, after the workspace's secrets policy was applied. Binary files are
 * not searched. `from`: see SecretGuard.
 */
export async function screenFile(
  guard: SecretGuard,
  name: string,
  bytes: Uint8Array,
  place: FoundIn,
  found: FoundSecrets,
  from?: number,
): Promise<Uint8Array> {
  if (guard.mode === "off" || formatOf(name, bytes) !== undefined) return bytes;
  if (decode(bytes.subarray(0, SAMPLE_BYTES)) === undefined) return bytes;
  return guard.bytes(bytes, place, found, from);
}
