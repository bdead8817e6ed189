import type { Decoded } from "../../../domain/text/decode.ts";
import type { Heading } from "../../../domain/text/headings.ts";
import { frontMatterEnd, headings } from "../../../domain/text/headings.ts";
import type { Parsed } from "../parsed.ts";
import { sections } from "../sections.ts";

const MAX_OUTLINE_HEADINGS = 200;
const MAX_TITLE_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 1000;
/** Maximum length of front matter searched for a title, in UTF-16 units. */
const MAX_MATTER_LENGTH = 8 * 1024;

/** Markdown, unchanged, including front matter. */
export async function parseMarkdown(stem: string, source: Decoded): Promise<Parsed> {
  const { text, encoding } = source;
  const found = headings(text);
  const matter = await frontMatterOf(text);
  const first = found.find((heading) => heading.title !== "");
  const title = (first?.level === 1 ? first.title : matter.title || first?.title) || stem;
  return {
    kind: "markdown",
    mime: "text/markdown",
    encoding,
    title,
    ...(matter.description !== "" && { description: matter.description }),
    text,
    sections: sections(text, found, title),
    outline: outlineOf(found),
    warnings: [],
  };
}

/** The headings as a list, indented by level. */
export function outlineOf(found: readonly Heading[]): string {
  const top = found.reduce((least, heading) => Math.min(least, heading.level), 6);
  return found
    .slice(0, MAX_OUTLINE_HEADINGS)
    .filter((heading) => heading.title !== "")
    .map((heading) => `${"  ".repeat(heading.level - top)}- ${heading.title}`)
    .join("\n");
}

async function frontMatterOf(
  text: string,
): Promise<{ readonly title: string; readonly description: string }> {
  const end = frontMatterEnd(text);
  if (end === 0 || end > MAX_MATTER_LENGTH) return { title: "", description: "" };
  const { readPageFrontMatter } = await import("../data/yaml.ts");
  const block = text.slice(text.indexOf("\n") + 1, end).replace(/(?:---|\.\.\.)\s*$/, "");
  const { title, description } = readPageFrontMatter(block);
  return {
    title: oneLine(title, MAX_TITLE_LENGTH),
    description: oneLine(description, MAX_DESCRIPTION_LENGTH),
  };
}

const oneLine = (text: string, max: number): string =>
  text.replace(/\s+/g, " ").trim().slice(0, max).toWellFormed();
