import { invalidArgument } from "../errors.ts";

const ISO_8601 = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Parses an ISO 8601 time to Unix time in ms; undefined if it is not one. */
export function isoTime(text: string): number | undefined {
  const found = ISO_8601.exec(text);
  // without a zone the time is UTC, but Date.parse would assume local time
  const time = found ? Date.parse(found[0].length > 10 && !found[1] ? `${found[0]}Z` : found[0]) : Number.NaN;
  return Number.isNaN(time) || !isDay(text.slice(0, 10)) ? undefined : time;
}

/** Whether a date exists: Date.parse reads February 30 as March 2. */
const isDay = (date: string): boolean => new Date(Date.parse(date)).toISOString().startsWith(date);

/**
 * Parses the time in a request field; undefined if the field is absent. Throws INVALID_ARGUMENT if it is not
 * a time.
 */
export function timeIn(text: string | undefined, field: string): number | undefined {
  if (text === undefined) return undefined;
  const time = isoTime(text);
  if (time === undefined)
    throw invalidArgument(field, "must be a time in ISO 8601, such as 2026-11-20T00:00:00Z");
  return time;
}
