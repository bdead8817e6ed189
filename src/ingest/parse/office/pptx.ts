import { posix } from "node:path";
import { documentOf } from "../document.ts";
import type { FormatFile } from "../format-file.ts";
import { blocksToMarkdown, escapeHtml } from "../html/blocks.ts";
import type { Parsed } from "../parsed.ts";
import { Unreadable } from "../unreadable.ts";
import { coreFacts } from "./core-facts.ts";
import { Package } from "./package.ts";
import { elementsOf, firstOf, type XmlElement, xmlRoot } from "./xml.ts";

const MIME = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
const MAIN = "ppt/presentation.xml";
const MAX_SLIDES = 5000;
const MAX_LEVEL = 8;

/**
 * Reads a PowerPoint presentation: slides in order, with titles as headings, texts as lists, tables, and
 * speaker notes.
 */
export async function readPptx({ stem, bytes }: FormatFile): Promise<Parsed> {
  const parts = await Package.open(bytes);
  const main = await parts.text(MAIN);
  if (main === undefined) throw new Unreadable("it is not a PowerPoint presentation");
  const links = await relations(parts, MAIN);
  const slides = [...elementsOf(xmlRoot(main), "p:sldId")].flatMap(
    (slide) => links.get(slide.getAttribute("r:id") ?? "")?.target ?? [],
  );
  const warnings =
    slides.length > MAX_SLIDES ? [`only the first ${MAX_SLIDES} of ${slides.length} slides are read`] : [];
  const html: string[] = [];
  for (const [i, slide] of slides.slice(0, MAX_SLIDES).entries()) {
    const text = await parts.text(slide);
    if (text === undefined) warnings.push(`slide ${i + 1} is missing`);
    else html.push(await slideHtml(parts, { name: slide, text }, i + 1));
  }
  const { title, facts } = await coreFacts(parts);
  const markdown = await blocksToMarkdown(html.join(""));
  return documentOf({
    stem,
    mime: MIME,
    markdown,
    title,
    facts: [...facts, ["Slides", slides.length]],
    warnings,
  });
}

interface Relation {
  readonly type: string;
  readonly target: string;
}

/** Relationship targets by id; only parts of the package. */
async function relations(parts: Package, name: string): Promise<Map<string, Relation>> {
  const text = await parts.text(posix.join(posix.dirname(name), "_rels", `${posix.basename(name)}.rels`));
  const found = new Map<string, Relation>();
  for (const one of text === undefined ? [] : elementsOf(xmlRoot(text), "Relationship")) {
    const target = one.getAttribute("Target") ?? "";
    if (one.getAttribute("TargetMode") === "External") continue;
    const path = target.startsWith("/") ? target.slice(1) : posix.join(posix.dirname(name), target);
    found.set(one.getAttribute("Id") ?? "", { type: one.getAttribute("Type") ?? "", target: path });
  }
  return found;
}

async function slideHtml(
  parts: Package,
  { name, text }: { name: string; text: string },
  number: number,
): Promise<string> {
  let title = "";
  const body: string[] = [];
  for (const shape of elementsOf(xmlRoot(text), "p:sp", "a:tbl")) {
    if (shape.tagName === "a:tbl") body.push(tableHtml(shape));
    else if (title === "" && /^(?:title|ctrTitle)$/.test(placeholder(shape)))
      title = paragraphs(shape)
        .map((one) => one.text)
        .join(" ")
        .trim();
    else if (!/^(?:sldNum|ftr|dt)$/.test(placeholder(shape))) body.push(textHtml(shape));
  }
  const notes = await notesOf(parts, name);
  const heading = `<h2>${escapeHtml(title === "" ? `Slide ${number}` : title)}</h2>`;
  return `${heading}${body.join("")}${notes === "" ? "" : `<p>Notes:</p>${notes}`}`;
}

const placeholder = (shape: XmlElement): string => {
  const found = firstOf(shape, "p:ph");
  return found ? (found.getAttribute("type") ?? "body") : "";
};

/**
 * Converts the paragraphs of a shape: a list in a placeholder, as on the slide; otherwise separate
 * paragraphs.
 */
function textHtml(shape: XmlElement): string {
  const found = paragraphs(shape).filter(({ text }) => text.trim() !== "");
  const isList = placeholder(shape) !== "" && placeholder(shape) !== "subTitle" && found.length > 1;
  if (!isList) return found.map(({ text }) => `<p>${escapeHtml(text)}</p>`).join("");
  let html = "";
  let depth = 0;
  for (const { text, level } of found) {
    const wanted = Math.min(level, depth) + 1;
    for (; depth < wanted; depth++) html += "<ul><li>";
    for (; depth > wanted; depth--) html += "</li></ul>";
    html += `${html.endsWith("<li>") ? "" : "</li><li>"}${escapeHtml(text)}`;
  }
  return html + "</li></ul>".repeat(depth);
}

function paragraphs(shape: XmlElement): { text: string; level: number }[] {
  return [...elementsOf(shape, "a:p")].map((paragraph) => {
    const parts = [...elementsOf(paragraph, "a:t", "a:br")].map((run) =>
      run.tagName === "a:br" ? " " : run.textContent,
    );
    const level = Number(firstOf(paragraph, "a:pPr")?.getAttribute("lvl") ?? 0);
    return {
      text: parts.join(""),
      level: Math.min(MAX_LEVEL, Number.isInteger(level) && level > 0 ? level : 0),
    };
  });
}

function tableHtml(table: XmlElement): string {
  const rows = [...elementsOf(table, "a:tr")].map((row) => {
    const cells = [...elementsOf(row, "a:tc")].map((cell) =>
      paragraphs(cell)
        .map(({ text }) => text)
        .join(" ")
        .trim(),
    );
    return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`;
  });
  return `<table>${rows.join("")}</table>`;
}

async function notesOf(parts: Package, slide: string): Promise<string> {
  const links = [...(await relations(parts, slide)).values()];
  const name = links.find(({ type }) => type.endsWith("/notesSlide"))?.target;
  const text = name === undefined ? undefined : await parts.text(name);
  if (text === undefined) return "";
  const bodies = [...elementsOf(xmlRoot(text), "p:sp")].filter((shape) => placeholder(shape) === "body");
  return bodies
    .map((shape) =>
      paragraphs(shape)
        .filter((one) => one.text.trim() !== "")
        .map((one) => `<p>${escapeHtml(one.text)}</p>`)
        .join(""),
    )
    .join("");
}
