import Papa from "papaparse";

/** Maximum rows used to detect the separator and the columns; further rows are only counted. */
const MAX_PREVIEW_ROWS = 50;
const MAX_PREVIEW_LENGTH = 256 * 1024;
const MAX_COLUMNS = 60;
const MAX_NAME_LENGTH = 80;

/**
 * Describes a table in words: its size, then one line per column with an example. Adds nothing for fewer than
 * two columns.
 */
export function describeColumns(text: string, lines: string[]): void {
  const { data } = Papa.parse<string[]>(text.slice(0, MAX_PREVIEW_LENGTH), {
    preview: MAX_PREVIEW_ROWS,
    skipEmptyLines: "greedy",
  });
  const [head, first] = data;
  if (!head || head.length < 2) return;
  const rows = rowsIn(text, data.length);
  lines.push(`${rows.toLocaleString("en-US")} ${rows === 1 ? "row" : "rows"}, ${head.length} columns`);
  for (const [i, name] of head.slice(0, MAX_COLUMNS).entries()) {
    const example = (first?.[i] ?? "").replace(/\s+/g, " ").trim();
    lines.push(`- ${short(name.trim())}${example === "" ? "" : `: ${short(example)}`}`);
  }
}

/** Number of rows below the header: parsed rows of a short text, lines of a longer one. */
function rowsIn(text: string, previewed: number): number {
  if (previewed < MAX_PREVIEW_ROWS && text.length <= MAX_PREVIEW_LENGTH) return previewed - 1;
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
    if (at + 1 < text.length && text[at + 1] !== "\n") lines++;
  return lines;
}

const short = (text: string): string =>
  text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH - 1)}…` : text;
