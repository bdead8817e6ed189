import { isUtf8 } from "node:buffer";
import { EventLoopYielder } from "../../base/event-loop.ts";
import { isObject } from "../../base/expect.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { checkJsonValues, MAX_VALUES } from "../value-count.ts";
import { parseSteps } from "./json-steps.ts";

/** Maximum nesting depth of a body, including its outer braces. */
export const MAX_JSON_DEPTH = 100;

/** Size in bytes from which a body is parsed in steps. */
const LONG_BODY_BYTES = 48 * 1024;

export type JsonObject = Record<string, unknown>;

const bad = (reason: string) => invalidArgument("body", reason);

/** Parses the object in a request body, yielding to the event loop in a long one; see `bodySteps`. */
export const parseBody = (bytes: Buffer, mostValues = MAX_VALUES): Promise<JsonObject | undefined> =>
  new EventLoopYielder().through(bodySteps(bytes, mostValues));

/**
 * The object in a request body; undefined for an empty body and for `null`. Skips a byte order mark; the last
 * of duplicate keys wins. Throws INVALID_ARGUMENT with field `body` for invalid UTF-8, malformed JSON, a
 * number outside double precision, nesting deeper than MAX_JSON_DEPTH, more than `mostValues` values, and
 * anything except an object.
 */
export function* bodySteps(
  bytes: Buffer,
  mostValues = MAX_VALUES,
): Generator<undefined, JsonObject | undefined> {
  if (!isUtf8(bytes)) throw bad("is not valid UTF-8");
  const hasMark = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = hasMark ? bytes.subarray(3) : bytes;
  if (isBlank(text)) return undefined;
  let value: unknown;
  try {
    if (text.length < LONG_BODY_BYTES) {
      checkJsonValues(text, mostValues);
      value = JSON.parse(text.toString());
    } else value = yield* parseSteps(text, mostValues);
  } catch (error) {
    throw error instanceof SyntaxError ? bad("is not valid JSON") : error;
  }
  if (value === null) return undefined;
  if (!isObject(value)) throw bad("must be a JSON object");
  checkNesting(value, MAX_JSON_DEPTH);
  return value;
}

function isBlank(bytes: Buffer): boolean {
  const [first] = bytes;
  if (first === undefined) return true;
  return (first <= 0x20 || first >= 0x80) && bytes.toString().trim() === "";
}

function checkNesting(value: object, left: number): void {
  if (left === 0) throw bad(`is nested deeper than ${MAX_JSON_DEPTH} levels`);
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === "object" && inner !== null) checkNesting(inner, left - 1);
    else if (typeof inner === "number" && !Number.isFinite(inner))
      throw bad("must not contain a number that is too large");
  }
}
