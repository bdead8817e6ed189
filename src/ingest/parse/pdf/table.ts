import { itemAt, lastOf } from "../../../base/expect.ts";
import { LEADERS } from "./heading-levels.ts";
import { type Line, lineText, startOf } from "./page-lines.ts";

const MIN_ROWS = 3;
const MIN_ROWS_OF_MANY = 2;
const MANY_COLUMNS = 3;
const MAX_COLUMNS = 40;
/** Relative to the font size: maximum distance between two rows, and between a line and its continuation. */
const MAX_ROW_GAP = 3.5;
const MAX_WRAP_GAP = 1.5;
/** Minimum share of the columns that rows must fill on average. */
const MIN_FILLED = 0.6;

export interface Table {
  readonly rows: readonly (readonly string[])[];
  /** Number of lines in the table. */
  readonly length: number;
}

interface Column {
  start: number;
  end: number;
}

/**
 * The table that starts at a line: rows with aligned cells, and lines that continue single cells. Undefined
 * if there is none.
 */
export function tableAt(lines: readonly Line[], at: number): Table | undefined {
  const run = runFrom(lines, at);
  const full = run.filter((line) => line.cells.length >= 2);
  const most = full.reduce((count, line) => Math.max(count, line.cells.length), 0);
  if (full.length < (most >= MANY_COLUMNS ? MIN_ROWS_OF_MANY : MIN_ROWS)) return undefined;
  const columns = columnsOf(full, most);
  if (columns.length < 2 || columns.length > MAX_COLUMNS) return undefined;
  const rows: string[][] = [];
  let before: Line | undefined;
  for (const line of run) {
    const cells = columns.map(() => "");
    for (const cell of line.cells) {
      const i = nearest(columns, cell.x, cell.end);
      cells[i] = cells[i] === "" ? cell.text : `${cells[i]} ${cell.text}`;
    }
    const goesOn =
      before !== undefined &&
      line.y - before.y < MAX_WRAP_GAP * line.size &&
      cells[0] === "" &&
      rows.length > 1;
    if (goesOn) rows[rows.length - 1] = lastOf(rows).map((text, i) => `${text} ${cells[i]}`.trim());
    else rows.push(cells);
    before = line;
  }
  const filled = rows.reduce((sum, row) => sum + row.filter((cell) => cell !== "").length, 0);
  return filled < rows.length * columns.length * MIN_FILLED ? undefined : { rows, length: run.length };
}

function runFrom(lines: readonly Line[], at: number): Line[] {
  const run: Line[] = [];
  for (let i = at; i < lines.length; i++) {
    const line = itemAt(lines, i);
    const before = run.at(-1);
    const isNear =
      !before ||
      (line.page === before.page && line.y > before.y && line.y - before.y < MAX_ROW_GAP * line.size);
    if (!isNear || LEADERS.test(lineText(line))) break;
    const isPart =
      line.cells.length >= 2 ||
      (before && startOf(line) > startOf(before) + line.size && (lines[i + 1]?.cells.length ?? 0) >= 2);
    if (!isPart) break;
    run.push(line);
  }
  while (run.length > 0 && lastOf(run).cells.length < 2) run.pop();
  return run;
}

/** Column positions, from the rows with the most cells. */
function columnsOf(rows: readonly Line[], most: number): Column[] {
  const columns: Column[] = [];
  const cells = rows.filter((row) => row.cells.length >= most * 0.8).flatMap((row) => row.cells);
  for (const { x, end } of [...cells].sort((a, b) => a.x - b.x)) {
    const last = columns.at(-1);
    if (last && x < last.end) last.end = Math.max(last.end, end);
    else columns.push({ start: x, end });
  }
  return columns;
}

function nearest(columns: readonly Column[], x: number, end: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [i, column] of columns.entries()) {
    const overlap = Math.min(end, column.end) - Math.max(x, column.start);
    const distance =
      overlap > 0 ? -overlap : Math.min(Math.abs(x - column.end), Math.abs(end - column.start));
    if (distance < least) [best, least] = [i, distance];
  }
  return best;
}

export function tableMarkdown({ rows }: Table): string {
  const lines = rows.map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
  lines.splice(1, 0, `|${" - |".repeat(itemAt(rows, 0).length)}`);
  return lines.join("\n");
}
