import { MAX_COLUMNS, type SheetText, sheetMarkdown } from "./sheet.ts";
import { elementsOf, type XmlElement } from "./xml.ts";

/** A cell or row may claim to be repeated a million times. */
const MAX_REPEATED = 256;

interface Rows {
  readonly rows: string[][];
  /** Some cells or rows with text were repeated more often than they are read. */
  isCut: boolean;
}

/** All sheets of an OpenDocument spreadsheet, each under its name; bounded, with a warning. */
export function openDocumentSheets(body: XmlElement): SheetText {
  const sheets = [...elementsOf(body, "table:table")].map((table) => {
    const name = table.getAttribute("table:name") ?? "Sheet";
    const { rows, isCut } = rowsOf(table);
    const { markdown, warnings } = sheetMarkdown(name, rows);
    const cut = `sheet ${name}: cells and rows that are repeated more than ${MAX_REPEATED} times are read ${MAX_REPEATED} times`;
    return { markdown, warnings: isCut ? [...warnings, cut] : warnings };
  });
  return {
    markdown: sheets.map(({ markdown }) => markdown).join("\n\n"),
    warnings: sheets.flatMap(({ warnings }) => warnings),
  };
}

/** Repeat count or another positive number of an element; 1 by default. */
export function repeated(element: XmlElement, name: string): number {
  const times = Number(element.getAttribute(name) ?? 1);
  return Number.isInteger(times) && times > 0 ? times : 1;
}

function rowsOf(table: XmlElement): Rows {
  const found: Rows = { rows: [], isCut: false };
  for (const row of elementsOf(table, "table:table-row")) {
    const cells = cellsOf(row, found);
    const times = cells.length > 0 ? timesOf(row, "table:number-rows-repeated", found) : 0;
    for (let i = 0; i < times; i++) found.rows.push(cells);
  }
  return found;
}

/** Up to the last cell with text. */
function cellsOf(row: XmlElement, found: Rows): string[] {
  const cells: string[] = [];
  let empty = 0;
  for (const cell of row.children) {
    if (!/^table:(?:covered-)?table-cell$/.test(cell.tagName)) continue;
    const text = [...elementsOf(cell, "text:p")].map((one) => one.textContent).join(" ");
    if (text === "") {
      empty += repeated(cell, "table:number-columns-repeated");
      continue;
    }
    // keep columns aligned, except beyond the last column of the sheet
    for (let i = Math.min(empty, MAX_COLUMNS - cells.length); i > 0; i--) cells.push("");
    empty = 0;
    for (let i = timesOf(cell, "table:number-columns-repeated", found); i > 0; i--) cells.push(text);
  }
  return cells;
}

function timesOf(element: XmlElement, name: string, found: Rows): number {
  const times = repeated(element, name);
  if (times > MAX_REPEATED) found.isCut = true;
  return Math.min(MAX_REPEATED, times);
}
