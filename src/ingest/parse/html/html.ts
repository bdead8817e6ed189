import type { Decoded } from "../../../domain/text/decode.ts";
import { decode } from "../../../domain/text/decode.ts";
import { headings } from "../../../domain/text/headings.ts";
import { outlineOf } from "../markdown/markdown.ts";
import type { Parsed } from "../parsed.ts";
import { sections } from "../sections.ts";
import { stripTags, titleOfTags } from "./tags.ts";

const MAX_TITLE_LENGTH = 200;
const MAX_STRIPPED_LENGTH = 16 * 1024 * 1024;
const CHARSET_WINDOW_BYTES = 2048;

/** Decodes an HTML file with its declared charset. */
export function decodeHtml(bytes: Uint8Array): Decoded | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, CHARSET_WINDOW_BYTES));
  const label = /<meta[^>]{0,200}charset\s{0,4}=\s{0,4}["']?([\w:.-]{1,40})/i.exec(head)?.[1];
  return decode(bytes, label);
}

/**
 * Converts a page to Markdown: its main content if detected, with tables and links, without scripts, styles
 * and tags; the title is the first heading. If the page is too large or deep for the converter, its tags are
 * stripped instead. Links are made absolute if `base` is known.
 */
export async function parseHtml(stem: string, source: Decoded, base: string | undefined): Promise<Parsed> {
  const { convertHtml } = await import("./convert.ts");
  const page = await convertHtml(source.text, base);
  const body = page?.markdown ?? stripTags(source.text.slice(0, MAX_STRIPPED_LENGTH));
  const warnings = page ? [] : ["too large or too deeply nested to convert: stripped of its tags"];
  if (source.text.length > MAX_STRIPPED_LENGTH)
    warnings.push(`above ${MAX_STRIPPED_LENGTH} characters: the rest is stored but not read`);
  if (body.trim() === "" && source.text.trim() !== "") warnings.push("no text was found in it");
  const heading = (page?.title ?? titleOfTags(source.text))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_TITLE_LENGTH);
  const converted = withTitle(body, heading);
  const found = headings(converted);
  const title = heading || found.find((one) => one.title !== "")?.title || stem;
  return {
    kind: "html",
    mime: "text/html",
    encoding: source.encoding,
    title,
    ...(page !== undefined && page.description !== "" && { description: page.description }),
    text: converted,
    converted,
    sections: sections(converted, found, title),
    outline: outlineOf(found),
    warnings,
  };
}

function withTitle(markdown: string, title: string): string {
  const body = markdown.trim();
  const line = /^# +(.+)$/m.exec(body.slice(0, 2000))?.[1];
  if (title === "" || line !== undefined) return body === "" ? "" : `${body}\n`;
  return `# ${title.replace(/([\\`*_[\]<>])/g, "\\$1")}\n${body === "" ? "" : `\n${body}\n`}`;
}
