import { ServiceError } from "../../domain/errors.ts";
import { type Decoded, decode } from "../../domain/text/decode.ts";
import { extensionOf, stemOf } from "../../domain/text/names.ts";
import { formatOf } from "./binary-formats.ts";
import { codeMime, extensionOfShebang } from "./code/code-languages.ts";
import { dataMime, parseData } from "./data/data.ts";
import { decodeHtml, parseHtml } from "./html/html.ts";
import { isManualPage, parseManualPage } from "./manual-page/manual-page.ts";
import { parseMarkdown } from "./markdown/markdown.ts";
import type { Parsed } from "./parsed.ts";
import { parseText } from "./text.ts";
import { Unreadable } from "./unreadable.ts";

const MARKDOWN = new Set(["md", "markdown", "mdown", "mkd", "mdx"]);
const HTML = new Set(["html", "htm", "xhtml"]);
const YAML = new Set(["yaml", "yml"]);
const PLAIN: Readonly<Record<string, string>> = {
  rst: "text/x-rst",
  log: "text/plain",
  txt: "text/plain",
  tex: "text/x-tex",
};
/**
 * Text extensions that binary formats also use (MPEG transport streams, MATLAB and others), so that binary
 * content is not an error.
 */
const AMBIGUOUS = new Set(["ts", "mts", "m", "s", "conf", "cfg", "properties", "log"]);
/**
 * Maximum bytes of Markdown, text and data read on the main thread; keeps it blocked for milliseconds only.
 */
const MAX_LIGHT_BYTES = 32 * 1024;
/** Lower maximum for YAML, because some texts take quadratic time. */
const MAX_LIGHT_YAML_BYTES = 4 * 1024;
const SAMPLE_BYTES = 64 * 1024;

/** Whether a file may be read on the main thread: small, in a format with linear time and memory. */
export function isLight(name: string, bytes: Uint8Array): boolean {
  const extension = extensionOf(name);
  const isPlain =
    !HTML.has(extension) && codeMime(extension) === undefined && formatOf(name, bytes) === undefined;
  return isPlain && bytes.length <= (YAML.has(extension) ? MAX_LIGHT_YAML_BYTES : MAX_LIGHT_BYTES);
}

/** Whether the first bytes are neither a known format nor text. */
export const isBinary = (name: string, bytes: Uint8Array): boolean =>
  formatOf(name, bytes) === undefined && decode(bytes.subarray(0, SAMPLE_BYTES)) === undefined;

/**
 * Parses a file by its name and bytes; can run in any process. Unknown binary content is not an error. Throws
 * Unreadable for an invalid file of a known format (a damaged PDF, a `.md` file full of NULs). Malformed JSON
 * or YAML becomes text, with a warning.
 */
export async function parse(name: string, bytes: Uint8Array, base?: string): Promise<Parsed> {
  const extension = extensionOf(name);
  const format = formatOf(name, bytes);
  if (format) return format.read({ stem: stemOf(name), bytes });
  const decoded = HTML.has(extension) ? decodeHtml(bytes) : decode(bytes);
  if (!decoded) return parseBinaryFile(name, bytes);
  const parsed = await parseDecoded(name, extension, decoded, base);
  return decoded.damaged
    ? { ...parsed, warnings: [...parsed.warnings, `some bytes are not ${decoded.encoding}`] }
    : parsed;
}

async function parseDecoded(
  name: string,
  extension: string,
  decoded: Decoded,
  base: string | undefined,
): Promise<Parsed> {
  const stem = stemOf(name);
  if (MARKDOWN.has(extension)) return parseMarkdown(stem, decoded);
  if (HTML.has(extension)) return parseHtml(stem, decoded, base);
  if (dataMime(extension)) return parseData(stem, extension, decoded);
  const code = codeMime(extension)
    ? extension
    : extension === ""
      ? extensionOfShebang(decoded.text)
      : undefined;
  if (code === undefined && isManualPage(extension, decoded.text)) return parseManualPage(stem, decoded);
  if (code === undefined)
    return parseText(stem, (Object.hasOwn(PLAIN, extension) && PLAIN[extension]) || "text/plain", decoded);
  const { parseCode } = await import("./code/code.ts");
  return parseCode(stem, code, decoded);
}

/** A file without text. Throws Unreadable if its name indicates a text format. */
export async function parseBinaryFile(name: string, bytes: Uint8Array): Promise<Parsed> {
  const extension = extensionOf(name);
  const isText =
    MARKDOWN.has(extension) ||
    HTML.has(extension) ||
    dataMime(extension) ||
    codeMime(extension) ||
    Object.hasOwn(PLAIN, extension);
  if (isText && !AMBIGUOUS.has(extension)) throw new Unreadable(`its content is not a ${extension} text`);
  return describeBinary(name, bytes);
}

/**
 * Returns the result of `reading`. If it throws Unreadable: throws INVALID_ARGUMENT with `details.errors`
 * under `strict`, otherwise returns the file without text, with the reason in `error`.
 */
export async function orWithoutText(
  name: string,
  bytes: Uint8Array,
  strict: boolean,
  reading: Promise<Parsed>,
): Promise<Parsed> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const { reason } = error;
    const told = `${name}: ${reason}`;
    if (strict) throw new ServiceError("INVALID_ARGUMENT", told, { field: "path", reason, errors: [told] });
    return { ...(await describeBinary(name, bytes)), warnings: [], error: `${reason}: stored without text` };
  }
}

/**
 * Reads text whose parser took too long as plain text without structure. Undefined for HTML pages and
 * non-text.
 */
export function parsePlainly(name: string, bytes: Uint8Array, reason: string): Parsed | undefined {
  if (HTML.has(extensionOf(name)) || formatOf(name, bytes) !== undefined) return undefined;
  const decoded = decode(bytes);
  return (
    decoded && {
      ...parseText(stemOf(name), "text/plain", decoded),
      warnings: [`${reason}: read as plain text`],
    }
  );
}

async function describeBinary(name: string, bytes: Uint8Array): Promise<Parsed> {
  const { parseBinary } = await import("./binary.ts");
  return parseBinary(stemOf(name), bytes);
}
