import type { Decoded } from "../../domain/decode.ts";
import type { Heading } from "../../domain/headings.ts";
import { frontMatterEnd, headings } from "../../domain/headings.ts";
import type { Parsed } from "./parsed.ts";
import { sections } from "./sections.ts";

const MAX_OUTLINE_HEADINGS = 200;
const MAX_TITLE_LENGTH = 200;
/** Of front matter that is looked through for a title. */
const MAX_MATTER_LENGTH = 8 * 1024;

/** Markdown as it is, its front matter included. */
export async function parseMarkdown(stem: string, source: Decoded): Promise<Parsed> {
  const { text, encoding } = source;
  const found = headings(text);
  const title = (await titleOf(text, found)) || stem;
  return {
    kind: "markdown",
    mime: "text/markdown",
    encoding,
    title,
    text,
    sections: sections(text, found, title),
    outline: outlineOf(found),
    warnings: [],
  };
}

/** The headings as a list, indented by their level. */
export function outlineOf(found: readonly Heading[]): string {
  const top = found.reduce((least, heading) => Math.min(least, heading.level), 6);
  return found
    .slice(0, MAX_OUTLINE_HEADINGS)
    .filter((heading) => heading.title !== "")
    .map((heading) => `${"  ".repeat(heading.level - top)}- ${heading.title}`)
    .join("\n");
}

async function titleOf(text: string, found: readonly Heading[]): Promise<string> {
  const first = found.find((heading) => heading.title !== "");
  if (first?.level === 1) return first.title;
  return (await frontMatterTitle(text)) || (first?.title ?? "");
}

async function frontMatterTitle(text: string): Promise<string> {
  const end = frontMatterEnd(text);
  if (end === 0 || end > MAX_MATTER_LENGTH) return "";
  const { yamlTitle } = await import("./data-yaml.ts");
  const block = text.slice(text.indexOf("\n") + 1, end).replace(/(?:---|\.\.\.)\s*$/, "");
  return yamlTitle(block).replace(/\s+/g, " ").trim().slice(0, MAX_TITLE_LENGTH);
}
