import { decode } from "../domain/text/decode.ts";
import type { FoundIn, FoundSecrets } from "../workspace/found-secrets.ts";
import type { SecretGuard } from "../workspace/secret-guard.ts";
import { formatOf } from "./parse/formats.ts";

/** First bytes of a file that tell whether it is text. */
const SAMPLE_BYTES = 16 * 1024;

/**
 * The bytes to store instead of a file, whose secrets are handled by the policy of the workspace. Binary files
 * are not searched. `from`: see SecretGuard.
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
