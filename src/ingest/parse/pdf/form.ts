import type { PDFDocumentProxy } from "pdfjs-dist";
import { listOf, type MediaFact } from "../media/metadata.ts";

const MAX_FIELDS = 5000;
/** Value of an unchecked checkbox or radio button. */
const OFF = "Off";

interface Field {
  readonly type?: unknown;
  readonly value?: unknown;
}

/**
 * The values of form fields as a Markdown list, labelled with the last part of the field name; "" if no field
 * has a value. Adds to `warnings` if some fields are not read.
 */
export async function formMarkdown(pdf: PDFDocumentProxy, warnings: string[]): Promise<string> {
  const fields = (await pdf.getFieldObjects().catch(() => undefined)) as
    | Readonly<Record<string, readonly Field[]>>
    | null
    | undefined;
  const filled: MediaFact[] = [];
  for (const [name, widgets] of Object.entries(fields ?? {})) {
    if (filled.length === MAX_FIELDS) {
      warnings.push(`only the first ${MAX_FIELDS} fields of its form are read`);
      break;
    }
    const value = widgets
      .map((widget) => widget.value)
      .find((one) => typeof one === "string" && one.trim() !== "" && one !== OFF);
    if (typeof value === "string")
      filled.push([oneLine(name.slice(name.lastIndexOf(".") + 1).replace(/\[\d+\]/g, "")), oneLine(value)]);
  }
  return listOf(filled);
}

const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
