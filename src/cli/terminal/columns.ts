import stringWidth from "string-width";
import { itemAt, lastOf } from "../../base/expect.ts";
import { printable } from "../../base/printable.ts";
import { type Paint, paintOf } from "./paint.ts";

export interface Column {
  readonly title: string;
  readonly align?: "right";
  /** The column shrinks if the table is wider than the terminal. */
  readonly gives?: true;
  readonly style?: keyof Paint;
}

const GAP = "  ";
/** Minimum width of a shrinking column, in columns of the terminal. */
const LEAST_WIDTH = 12;

/** Number of terminal columns that text occupies; East Asian characters use two. */
export const widthOf = (text: string): number => stringWidth(text);

/** Truncates text to a width in columns, with an ellipsis. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let taken = 1;
  for (const sign of text) {
    taken += widthOf(sign);
    if (taken > width) break;
    kept += sign;
  }
  return `${kept.trimEnd()}…`;
}

function pad(text: string, width: number, align: Column["align"]): string {
  const room = " ".repeat(Math.max(0, width - widthOf(text)));
  return align === "right" ? room + text : text + room;
}

/** Formats a table with a title row, no wider than `width` if a column can shrink. "" without rows. */
export function tableText(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, paint = paintOf(false) }: { readonly width?: number | undefined; readonly paint?: Paint } = {},
): string {
  if (rows.length === 0) return "";
  const cells = rows.map((row) => columns.map((_, at) => printable(row[at] ?? "")));
  const widths = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(itemAt(row, at)))),
  );
  const giving = columns.findIndex(({ gives }) => gives);
  const all = widths.reduce((sum, one) => sum + one, GAP.length * (columns.length - 1));
  if (width !== undefined && giving >= 0 && all > width)
    widths[giving] = Math.max(LEAST_WIDTH, itemAt(widths, giving) - (all - width));
  const line = (row: readonly string[], styleOf: (column: Column) => keyof Paint | undefined) =>
    columns
      .map((column, at) => {
        const fitted = cut(itemAt(row, at), itemAt(widths, at));
        const isLast = at === columns.length - 1 && column.align !== "right";
        const text = isLast ? fitted : pad(fitted, itemAt(widths, at), column.align);
        const style = styleOf(column);
        return style ? paint[style](text) : text;
      })
      .join(GAP)
      .trimEnd();
  const titles = columns.map(({ title }) => title);
  return [line(titles, () => "faint"), ...cells.map((row) => line(row, ({ style }) => style))]
    .map((one) => `${one}\n`)
    .join("");
}

/** Formats names and values, one pair per line, with aligned names. */
export function factsText(
  facts: readonly (readonly [name: string, value: string | undefined])[],
  paint: Paint,
): string {
  const known = facts.filter(
    (fact): fact is readonly [string, string] => fact[1] !== undefined && fact[1] !== "",
  );
  const width = Math.max(0, ...known.map(([name]) => widthOf(name)));
  return known
    .map(([name, value]) => `${paint.faint(pad(name, width, undefined))}${GAP}${printable(value)}\n`)
    .join("");
}

/** Wraps text into at most `lines` lines of `width` columns, with an ellipsis if text is omitted. */
export function wrap(text: string, width: number, lines: number): string[] {
  const made: string[] = [""];
  for (const word of printable(text).split(/\s+/)) {
    const last = lastOf(made);
    const joined = last === "" ? word : `${last} ${word}`;
    if (widthOf(joined) <= width) made[made.length - 1] = joined;
    else if (made.length === lines) {
      made[made.length - 1] = cut(`${joined}${" ".repeat(width)}`, width);
      return made;
    } else if (last === "") made[made.length - 1] = cut(word, width);
    else made.push(cut(word, width));
  }
  return made;
}
