import mammoth from "mammoth";
import { documentOf } from "../document.ts";
import type { FormatFile } from "../format-file.ts";
import { blocksToMarkdown } from "../html/blocks.ts";
import type { Parsed } from "../parsed.ts";
import { Unreadable } from "../unreadable.ts";
import { coreFacts } from "./core-facts.ts";
import { Package } from "./package.ts";

export const DOCX_MIME = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** Style mappings for Word, LibreOffice and pandoc, added to the converter's own. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  ...["Source Code", "HTML Preformatted", "Preformatted Text", "Plain Text"].map(
    (name) => `p[style-name='${name}'] => pre:separator('\\n')`,
  ),
  "r[style-name='Verbatim Char'] => code",
  ...["Quote", "Quotations", "Intense Quote", "Block Text"].map(
    (name) => `p[style-name='${name}'] => blockquote > p:fresh`,
  ),
];

/**
 * Reads a Word document: headings, lists, tables, links, notes and quotations of the main text. Omits
 * headers, footers, comments and images.
 */
export async function readDocx({ stem, bytes }: FormatFile): Promise<Parsed> {
  const parts = await Package.open(bytes);
  if (!parts.has("[Content_Types].xml")) throw new Unreadable("it is not a Word document");
  await parts.check();
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const converting = mammoth.convertToHtml(
    { buffer },
    {
      styleMap: STYLES,
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: "" })),
    },
  );
  const { value } = await converting.catch((error: unknown) =>
    Promise.reject(new Unreadable("it is damaged or not a Word document", error)),
  );
  return documentOf({
    stem,
    mime: DOCX_MIME,
    markdown: await blocksToMarkdown(value),
    ...(await coreFacts(parts)),
  });
}
