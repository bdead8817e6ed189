import type { Decoded } from "../../domain/decode.ts";
import { decode } from "../../domain/decode.ts";
import { ServiceError } from "../../domain/errors.ts";
import { extensionOf, stemOf } from "../../domain/names.ts";
import { codeMime, extensionOfShebang } from "./code-languages.ts";
import { dataMime, parseData } from "./data.ts";
import { decodeHtml, parseHtml } from "./html.ts";
import { parseMarkdown } from "./markdown.ts";
import type { Parsed, ParseOptions } from "./parsed.ts";
import { parseText } from "./text.ts";

const MARKDOWN = new Set(["md", "markdown", "mdown", "mkd", "mdx"]);
const HTML = new Set(["html", "htm", "xhtml"]);
const PLAIN: Readonly<Record<string, string>> = { rst: "text/x-rst", log: "text/plain", txt: "text/plain", tex: "text/x-tex" };
/** Text extensions that also name a binary format, so that binary content is no fault: MPEG transport streams, MATLAB and the like. */
const AMBIGUOUS = new Set(["ts", "mts", "m", "s", "conf", "cfg", "properties", "log"]);

/**
 * Reads a file by its name and bytes (rulings R3, R11). Unknown binary content is no error. Content that contradicts a known text format (a `.md` full of NULs) is
 * INVALID_ARGUMENT with `details.errors` under `strict`, else kept as binary with a warning. Malformed JSON or YAML is text with a warning in either case. Never
 * throws anything else, whatever the bytes.
 */
export async function parse(name: string, bytes: Uint8Array, options: ParseOptions = {}): Promise<Parsed> {
  const extension = extensionOf(name);
  const decoded = HTML.has(extension) ? decodeHtml(bytes) : decode(bytes);
  if (!decoded) return binary(name, extension, bytes, options);
  const parsed = await parseDecoded(name, extension, decoded, options);
  return decoded.damaged ? { ...parsed, warnings: [...parsed.warnings, `some bytes are not ${decoded.encoding}`] } : parsed;
}

async function parseDecoded(name: string, extension: string, decoded: Decoded, options: ParseOptions): Promise<Parsed> {
  const stem = stemOf(name);
  if (MARKDOWN.has(extension)) return parseMarkdown(stem, decoded);
  if (HTML.has(extension)) return parseHtml(stem, decoded, options.base);
  if (dataMime(extension)) return parseData(stem, extension, decoded);
  const code = codeMime(extension) ? extension : extension === "" ? extensionOfShebang(decoded.text) : undefined;
  if (code === undefined) return parseText(stem, (Object.hasOwn(PLAIN, extension) && PLAIN[extension]) || "text/plain", decoded);
  const { parseCode } = await import("./code.ts");
  return parseCode(stem, code, decoded);
}

async function binary(name: string, extension: string, bytes: Uint8Array, options: ParseOptions): Promise<Parsed> {
  const { parseBinary } = await import("./binary.ts");
  const parsed = await parseBinary(stemOf(name), bytes);
  const known =
    MARKDOWN.has(extension) || HTML.has(extension) || dataMime(extension) || codeMime(extension) || Object.hasOwn(PLAIN, extension);
  if (!known || AMBIGUOUS.has(extension)) return parsed;
  const reason = `the content is no ${extension} text`;
  if (options.strict)
    throw new ServiceError("INVALID_ARGUMENT", `${name}: ${reason}`, { field: "path", reason, errors: [`${name}: ${reason}`] });
  return { ...parsed, warnings: [`${reason}: stored without text`] };
}
