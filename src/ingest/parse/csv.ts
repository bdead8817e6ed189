import Papa from "papaparse";

/** Rows from which separator and columns are learned; the rest of the text is only counted. */
const MAX_PREVIEW_ROWS = 50;
const MAX_PREVIEW_LENGTH = 256 * 1024;
const MAX_COLUMNS = 60;
const MAX_NAME_LENGTH = 80;

/** The columns of a table in text, one a line with an example. Nothing where it has no two columns. */
export function readColumns(text: string, lines: string[]): void {
  const { data } = Papa.parse<string[]>(text.slice(0, MAX_PREVIEW_LENGTH), { preview: MAX_PREVIEW_ROWS, skipEmptyLines: "greedy" });
  const [head, first] = data;
  if (!head || head.length < 2) return;
  for (const [i, name] of head.slice(0, MAX_COLUMNS).entries()) {
    const example = (first?.[i] ?? "").replace(/\s+/g, " ").trim();
    lines.push(`- ${short(name.trim())}${example === "" ? "" : `: ${short(example)}`}`);
  }
}

const short = (text: string): string => (text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH - 1)}…` : text);
