import { type Command, InvalidArgumentError } from "commander";

const SCHEME = "ctx://";

/**
 * Accepts a URI or a path below the root: `resources/docs` and `/resources/docs` mean `ctx://resources/docs`.
 */
export const uriOf = (text: string): string =>
  text.includes("://") ? text : SCHEME + text.replace(/^\/+/, "");

/** Collects the values of a repeatable option. */
export const gathered = (text: string, before: readonly string[] = []): string[] => [...before, text];

/** Option for list commands: only entries with all of these tags. */
export const withTags = (command: Command): Command =>
  command.option(
    "-t, --tag <tag>",
    "only files and folders with this tag, their own or inherited from a folder above; can be repeated",
    (text, before: string[] = []) => gathered(text, before),
  );

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

export function share(text: string): number {
  const value = Number(text);
  if (text === "" || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError("It must be a number from 0 to 1.");
  return value;
}

export function jsonObject(text: string): Record<string, never> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, never>;
  } catch {
    // the error below covers invalid JSON
  }
  throw new InvalidArgumentError('It must be a JSON object, such as \'{"mime": "text/markdown"}\'.');
}
