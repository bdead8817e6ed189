import { invalidArgument } from "../../domain/errors.ts";

/**
 * Maximum length of a key: an incompressible index row of PostgreSQL has at most 2704 bytes. Only relations
 * of paths have longer keys.
 */
const MAX_KEY_BYTES = 2600;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const BYTES_PER_UNIT = 3;

/** Whether the store may be unable to index a key. */
export const isTooLong = (key: string): boolean =>
  key.length * BYTES_PER_UNIT > MAX_KEY_BYTES && Buffer.byteLength(key) > MAX_KEY_BYTES;

export const keyTooLong = () =>
  invalidArgument("uri", "the paths of a relation are too long for the store: use shorter ones");
