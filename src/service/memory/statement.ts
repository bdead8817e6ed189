import { invalidArgument } from "../../domain/errors.ts";
import { timeIn } from "../../domain/text/iso-time.ts";

const MAX_STATEMENT_LENGTH = 2000;

/**
 * Trims a statement, which is stored as one list item. Throws INVALID_ARGUMENT if it is empty, too long or
 * has line breaks.
 */
export function checkStatement(given: string): string {
  const statement = given.length > MAX_STATEMENT_LENGTH ? "" : given.toWellFormed().trim();
  if (statement === "")
    throw invalidArgument("statement", `must have 1 to ${MAX_STATEMENT_LENGTH} characters`);
  if (/[\r\n\u2028\u2029]/.test(statement))
    throw invalidArgument("statement", "must be one line, without line breaks");
  return statement;
}

/**
 * Unix time in ms at which a memory expires; undefined if it never does. Throws INVALID_ARGUMENT for a past
 * time.
 */
export function checkExpiry(given: string | undefined, now: number): number | undefined {
  const expires = given === "" ? undefined : timeIn(given, "expires_at");
  if (expires !== undefined && expires <= now) throw invalidArgument("expires_at", "must be in the future");
  return expires;
}

/** The date of a time: YYYY-MM-DD. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
