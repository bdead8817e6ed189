import { createHash } from "node:crypto";
import { invalidArgument } from "./errors.ts";

const MARK_LENGTH = 12;

const markOf = (list: string, place: string): string =>
  createHash("sha256").update(`${list}\n${place}`).digest("base64url").slice(0, MARK_LENGTH);

/** An opaque cursor (ruling E19): where list `list` (operation and subject) goes on. */
export function encodeCursor(list: string, place: string): string {
  return markOf(list, place) + Buffer.from(place).toString("base64url");
}

/** The place of a cursor given out for this list; INVALID_ARGUMENT {field cursor} for any other text. */
export function decodeCursor(list: string, cursor: string): string {
  const place = Buffer.from(cursor.slice(MARK_LENGTH), "base64url").toString();
  if (cursor.slice(0, MARK_LENGTH) !== markOf(list, place)) throw invalidArgument("cursor", "it was not given out for this list");
  return place;
}
