import readWorkbook from "read-excel-file/node";
import { documentOf } from "../document.ts";
import type { FormatFile } from "../format-file.ts";
import type { Parsed } from "../parsed.ts";
import { Unreadable } from "../unreadable.ts";
import { coreFacts } from "./core-facts.ts";
import { Package } from "./package.ts";
import { sheetMarkdown } from "./sheet-markdown.ts";

const MIME = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const DAY = /T00:00:00\.000Z$/;
/** A time of day, which Excel stores on the first day of one of its two calendars. */
const TIME = /^(?:1899-12-3[01]|1904-01-01)T/;

/**
 * Reads an Excel workbook: every sheet with the stored values of its cells. Omits formulas, formats and
 * charts.
 */
export async function readXlsx({ stem, bytes }: FormatFile): Promise<Parsed> {
  const parts = await Package.open(bytes);
  if (!parts.has("xl/workbook.xml")) throw new Unreadable("it is not an Excel workbook");
  await parts.check();
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sheets = await readWorkbook(buffer).catch((error: unknown) =>
    Promise.reject(new Unreadable("it is damaged or not an Excel workbook", error)),
  );
  const texts = sheets.map(({ sheet, data }) =>
    sheetMarkdown(
      sheet,
      data.map((row) => row.map(shown)),
    ),
  );
  const { title, facts } = await coreFacts(parts);
  const markdown = texts.map((one) => one.markdown).join("\n\n");
  return documentOf({
    stem,
    mime: MIME,
    markdown,
    title,
    facts: [...facts, ["Sheets", sheets.length]],
    warnings: texts.flatMap((one) => one.warnings),
  });
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (!(value instanceof Date)) return String(value);
  return Number.isNaN(value.getTime())
    ? ""
    : value
        .toISOString()
        .replace(DAY, "")
        .replace(TIME, "")
        .replace(/(?:\.000)?Z$/, "");
}
