import { extensionOf } from "../../domain/text/names.ts";
import type { FormatFile } from "./format-file.ts";
import { MEDIA_FORMATS } from "./media/formats.ts";
import type { Parsed } from "./parsed.ts";

/**
 * A binary format from which text can be extracted. Input is untrusted and costly to parse, so it is parsed
 * in a child process (process/parse-child.ts).
 */
export interface Format {
  readonly extensions: readonly string[];
  /** Throws Unreadable for invalid input. Loads the parser and its libraries on first use. */
  readonly read: (file: FormatFile) => Promise<Parsed>;
}

/** All formats; to support another one, add it here. */
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
  { extensions: ["epub"], read: async (file) => (await import("./epub.ts")).readEpub(file) },
  ...MEDIA_FORMATS,
];

const BY_EXTENSION = new Map(
  FORMATS.flatMap((format) => format.extensions.map((extension) => [extension, format] as const)),
);

const PDF_MAGIC = Buffer.from("%PDF-");

/**
 * The format of a file by its name. PDF is recognised under any name, because fetched pages may have no
 * extension.
 */
export function formatOf(name: string, bytes: Uint8Array): Format | undefined {
  const isPdf = PDF_MAGIC.equals(bytes.subarray(0, PDF_MAGIC.length));
  return BY_EXTENSION.get(extensionOf(name)) ?? (isPdf ? BY_EXTENSION.get("pdf") : undefined);
}
