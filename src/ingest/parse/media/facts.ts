/** A known fact about a picture or recording. */
export type MediaFact = readonly [name: string, value: string];

/** Longest tag value. */
const MAX_VALUE_LENGTH = 500;

/** Facts with a value, each on one line, without control characters. */
export function mediaFactsOf(named: Readonly<Record<string, string | number | undefined>>): MediaFact[] {
  return Object.entries(named).flatMap(([name, value]): MediaFact[] => {
    const said = value === undefined ? "" : plain(String(value));
    return said === "" ? [] : [[name, said]];
  });
}

/** Metadata text as one line: unusual characters are removed, long values cut. */
export function plain(value: string): string {
  const line = value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > MAX_VALUE_LENGTH ? `${line.slice(0, MAX_VALUE_LENGTH - 1).toWellFormed()}…` : line;
}

/** A Markdown list of facts. */
export const listOf = (facts: readonly MediaFact[]): string =>
  facts.map(([name, value]) => `- ${name}: ${escaped(value)}`).join("\n");

/** Metadata is text, not Markdown. */
const escaped = (value: string): string => value.replace(/[\\`*_[\]<>#|]/g, "\\$&");

/** `1:02:03` or `2:03`. */
export function clockTime(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export const bytesSaid = (bytes: Uint8Array): string => `${bytes.length.toLocaleString("en-US")} bytes`;
