import { MAX_COLUMNS, type SheetText, sheetMarkdown } from "./sheet-markdown.ts";
import { elementsOf, type XmlElement } from "./xml.ts";

/** Maximum repeat count: a cell or row may claim to be repeated a million times. */
const MAX_REPEATED = 256;

interface Rows {
  readonly rows: string[][];
  /** Whether cells or rows with text were repeated more often than the limit. */
  isCut: boolean;
}

/** Reads all sheets of an OpenDocument spreadsheet, each under its name; limited in size, with a warning. */
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

/** A positive integer attribute of an element, such as a repeat count; 1 if missing. */
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

/** The cells of a row up to the last one with text. */
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
    // pad the row to align its columns, up to the column limit
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
