/** Maximum number of rows and of cells read from one sheet. */
const MAX_ROWS = 20_000;
const MAX_CELLS = 500_000;
/** Maximum cell length in Excel. */
const MAX_CELL_LENGTH = 32_767;
/** Maximum number of columns in Excel. */
export const MAX_COLUMNS = 16_384;

export interface SheetText {
  readonly markdown: string;
  readonly warnings: readonly string[];
}

/**
 * Converts a sheet to a heading and a Markdown table without empty rows and columns; the first row is the
 * header. Limited in size, with a warning.
 */
export function sheetMarkdown(name: string, rows: readonly (readonly string[])[]): SheetText {
  const heading = `## ${name.replace(/\s+/g, " ")}`;
  const filled = rows.filter((row) => row.some((cell) => cell !== ""));
  const width = filled.reduce((most, row) => Math.max(most, lastFilled(row) + 1), 0);
  if (width === 0) return { markdown: heading, warnings: [] };
  const columns = Math.min(width, MAX_COLUMNS);
  const used = usedColumns(filled, columns);
  const most = Math.min(MAX_ROWS, Math.max(1, Math.floor(MAX_CELLS / Math.max(1, used.length))));
  const lines = filled
    .slice(0, most)
    .map((row) => `| ${used.map((i) => cellText(row[i] ?? "")).join(" | ")} |`);
  lines.splice(1, 0, `|${" - |".repeat(used.length)}`);
  const warnings: string[] = [];
  if (filled.length > most)
    warnings.push(`sheet ${name}: only the first ${most} of ${filled.length} rows are read`);
  if (width > columns) warnings.push(`sheet ${name}: only the first ${columns} of ${width} columns are read`);
  const long = filled
    .slice(0, most)
    .reduce((count, row) => count + row.filter((cell) => cell.length > MAX_CELL_LENGTH).length, 0);
  if (long > 0)
    warnings.push(
      `sheet ${name}: ${long} cells are longer than ${MAX_CELL_LENGTH} characters and were cut there`,
    );
  return { markdown: `${heading}\n\n${lines.join("\n")}`, warnings };
}

/** Indexes of the columns that are not empty. */
function usedColumns(rows: readonly (readonly string[])[], columns: number): number[] {
  const isUsed = new Uint8Array(columns);
  for (const row of rows)
    for (let i = Math.min(columns, row.length) - 1; i >= 0; i--) if (row[i] !== "") isUsed[i] = 1;
  return [...isUsed.keys()].filter((i) => isUsed[i] === 1);
}

const lastFilled = (row: readonly string[]): number => row.findLastIndex((cell) => cell !== "");

const cellText = (cell: string): string =>
  cell.slice(0, MAX_CELL_LENGTH).replace(/\s+/g, " ").trim().replaceAll("|", "\\|");
