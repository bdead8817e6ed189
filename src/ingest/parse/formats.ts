import { extensionOf } from "../../domain/text/names.ts";
import type { FormatFile } from "./format-file.ts";
import { MEDIA_FORMATS } from "./media/formats.ts";
import type { Parsed } from "./parsed.ts";

/**
 * A binary format that is read for its text. All of them are untrusted and heavy, so they are read in a child
 * process (parse-child.ts).
 */
export interface Format {
  readonly extensions: readonly string[];
  /**
   * Throws Unreadable for what cannot be read. The parser and its libraries are loaded here, at the first
   * file.
   */
  readonly read: (file: FormatFile) => Promise<Parsed>;
}

/** The formats by name: add one here, and everything else knows it. */
const FORMATS: readonly Format[] = [
  { extensions: ["pdf"], read: async (file) => (await import("./pdf/pdf.ts")).readPdf(file) },
  {
    extensions: ["docx", "docm", "dotx"],
    read: async (file) => (await import("./office/docx.ts")).readDocx(file),
  },
  {
    extensions: ["pptx", "pptm", "ppsx"],
    read: async (file) => (await import("./office/pptx.ts")).readPptx(file),
  },
  { extensions: ["xlsx", "xlsm"], read: async (file) => (await import("./office/xlsx.ts")).readXlsx(file) },
  {
    extensions: ["odt", "ods", "odp", "ott"],
    read: async (file) => (await import("./office/open-document.ts")).readOpenDocument(file),
  },
  { extensions: ["epub"], read: async (file) => (await import("./office/epub.ts")).readEpub(file) },
  ...MEDIA_FORMATS,
];

const BY_EXTENSION = new Map(
  FORMATS.flatMap((format) => format.extensions.map((extension) => [extension, format] as const)),
);

const PDF_MAGIC = Buffer.from("%PDF-");

/** The format of a file by its name; a PDF is one under any other name, such as that of a page of the web. */
export function formatOf(name: string, bytes: Uint8Array): Format | undefined {
  const isPdf = PDF_MAGIC.equals(bytes.subarray(0, PDF_MAGIC.length));
  return BY_EXTENSION.get(extensionOf(name)) ?? (isPdf ? BY_EXTENSION.get("pdf") : undefined);
}
