import { parseHTML } from "linkedom";
import rehypeParse from "rehype-parse";
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { tidyMarkdown } from "../markdown/tidy-markdown.ts";
import { flatTables } from "./flat-tables.ts";
import { stripTags } from "./tags.ts";

/** Maximum HTML converted in one call, because the conversion time grows faster than its input. */
const MAX_PIECE_LENGTH = 64 * 1024;
/** Maximum length of a single block; above it, the tags are stripped instead. */
const MAX_BLOCK_LENGTH = 2 * 1024 * 1024;
const DROPPED = "script,style,noscript,template,iframe,object,embed,svg,canvas,link,meta,img,audio,video";

/** Converts HTML to Markdown in one call. */
export const converter = unified()
  .use(rehypeParse, { fragment: true })
  .use(rehypeRemark, { newlines: false })
  .use(flatTables)
  .use(tidyMarkdown)
  .use(remarkGfm, { tableCellPadding: true, tablePipeAlign: false })
  .use(remarkStringify, { bullet: "-", rule: "-", fence: "`", listItemIndent: "one", resourceLink: true });

/**
 * Converts HTML blocks from a document reader to Markdown, piece by piece in linear time. Images are omitted.
 */
export async function blocksToMarkdown(html: string): Promise<string> {
  const { document } = parseHTML(`<!doctype html><html><head></head><body>${html}</body></html>`);
  for (const element of document.querySelectorAll(DROPPED)) element.remove();
  for (const link of document.querySelectorAll("a"))
    if (!isAbsolute(link.getAttribute("href"))) link.replaceWith(...link.childNodes);
  const parts: string[] = [];
  let piece = "";
  const flush = async () => {
    if (piece !== "") parts.push(await convert(piece));
    piece = "";
  };
  for (const block of document.body.children) {
    const outer = block.toString();
    if (piece.length + outer.length > MAX_PIECE_LENGTH) await flush();
    piece += outer;
  }
  await flush();
  return parts.filter((part) => part !== "").join("\n\n");
}

const isAbsolute = (href: string | null): boolean => /^(?:https?|mailto):/i.test(href ?? "");

async function convert(html: string): Promise<string> {
  if (html.length > MAX_BLOCK_LENGTH) return stripTags(html);
  try {
    return String(await converter.process(html)).trim();
  } catch {
    // too deeply nested for the converter
    return stripTags(html);
  }
}

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
