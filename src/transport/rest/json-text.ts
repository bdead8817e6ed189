import { isUtf8 } from "node:buffer";
import { isObject } from "../../base/expect.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { checkJsonValues } from "../value-count.ts";

/** Maximum nesting depth of a body, including its outer braces. */
export const MAX_JSON_DEPTH = 100;

export type JsonObject = Record<string, unknown>;

const bad = (reason: string) => invalidArgument("body", reason);

/**
 * Parses the object in a request body; undefined for an empty body and for `null`. Skips a byte order mark;
 * the last of duplicate keys wins. Throws INVALID_ARGUMENT with field `body` for invalid UTF-8, malformed
 * JSON, numbers outside double precision, nesting deeper than MAX_JSON_DEPTH, more than MAX_VALUES values,
 * and anything except an object.
 */
export function parseBody(bytes: Buffer): JsonObject | undefined {
  if (!isUtf8(bytes)) throw bad("is not valid UTF-8");
  const hasMark = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = bytes.toString("utf8", hasMark ? 3 : 0);
  if (text.length === 0 || text.trim() === "") return undefined;
  checkJsonValues(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw bad("is not valid JSON");
  }
  if (value === null) return undefined;
  if (!isObject(value)) throw bad("must be a JSON object");
  checkNesting(value, MAX_JSON_DEPTH);
  return value;
}

function checkNesting(value: object, left: number): void {
  if (left === 0) throw bad(`is nested deeper than ${MAX_JSON_DEPTH} levels`);
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === "object" && inner !== null) checkNesting(inner, left - 1);
    else if (typeof inner === "number" && !Number.isFinite(inner))
      throw bad("must not contain a number that is too large");
  }
}
