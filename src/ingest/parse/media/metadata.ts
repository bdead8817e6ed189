/** Name and value of a fact about a picture or recording. */
export type MediaFact = readonly [name: string, value: string];

/** Maximum length of a metadata value in characters; longer ones are cut. */
const MAX_VALUE_LENGTH = 500;

/** Drops facts without a value; puts each on one line, without control characters. */
export function mediaFactsOf(named: Readonly<Record<string, string | number | undefined>>): MediaFact[] {
  return Object.entries(named).flatMap(([name, value]): MediaFact[] => {
    const said = value === undefined ? "" : plain(String(value));
    return said === "" ? [] : [[name, said]];
  });
}

/** Puts metadata text on one line, removes unusual characters and cuts long values. */
export function plain(value: string): string {
  const line = value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > MAX_VALUE_LENGTH ? `${line.slice(0, MAX_VALUE_LENGTH - 1).toWellFormed()}…` : line;
}

/** Formats facts as a Markdown list. */
export const listOf = (facts: readonly MediaFact[]): string =>
  facts.map(([name, value]) => `- ${name}: ${escaped(value)}`).join("\n");

/** Escapes metadata, which is plain text, for Markdown. */
const escaped = (value: string): string => value.replace(/[\\`*_[\]<>#|]/g, "\\$&");

/** Formats seconds as `1:02:03` or `2:03`. */
export function clockTime(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export const bytesSaid = (bytes: Uint8Array): string => `${bytes.length.toLocaleString("en-US")} bytes`;
