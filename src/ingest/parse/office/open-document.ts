import { itemAt } from "../../../base/expect.ts";
import { documentOf } from "../document.ts";
import type { FormatFile } from "../format-file.ts";
import { blocksToMarkdown, escapeHtml } from "../html/blocks.ts";
import type { Parsed } from "../parsed.ts";
import { Unreadable } from "../unreadable.ts";
import { openDocumentSheets, repeated } from "./open-document-sheets.ts";
import { Package } from "./package.ts";
import { elementsOf, firstOf, isElement, outermostOf, textOfFirst, type XmlElement, xmlRoot } from "./xml.ts";

const MIMES = { text: "text", spreadsheet: "spreadsheet", presentation: "presentation" } as const;
type Kind = keyof typeof MIMES;
const MAX_SPACES = 100;
const CODE_STYLE = /^(?:Preformatted|Source|Code|Listing)/i;
/** Elements that are not part of the text. */
const APART = new Set([
  "text:tracked-changes",
  "office:annotation",
  "text:sequence-decls",
  "office:forms",
  "text:bibliography-mark",
  "svg:title",
  "svg:desc",
]);

/**
 * Reads an OpenDocument text, spreadsheet or presentation: headings, lists, tables, notes, sheets, slides.
 */
export async function readOpenDocument({ stem, bytes }: FormatFile): Promise<Parsed> {
  const parts = await Package.open(bytes);
  const content = await parts.text("content.xml");
  if (content === undefined) throw new Unreadable("it is not an OpenDocument file");
  if (content.includes("<!ENTITY")) throw new Unreadable("it defines XML entities, which are not allowed");
  if ((await parts.text("META-INF/manifest.xml"))?.includes("encryption-data"))
    throw new Unreadable("it is encrypted");
  const root = xmlRoot(content);
  const kind = (Object.keys(MIMES) as Kind[]).find((one) => firstOf(root, `office:${one}`)) ?? "text";
  const body = firstOf(root, `office:${kind}`) ?? root;
  const { markdown, warnings } =
    kind === "spreadsheet"
      ? openDocumentSheets(body)
      : { markdown: await new Writer(root).markdown(body, kind), warnings: [] };
  const meta = await parts.text("meta.xml");
  const facts = meta === undefined ? undefined : xmlRoot(meta);
  return documentOf({
    stem,
    mime: `application/vnd.oasis.opendocument.${kind}`,
    markdown,
    title: textOfFirst(facts, "dc:title"),
    facts: [
      ["Author", textOfFirst(facts, "meta:initial-creator") || textOfFirst(facts, "dc:creator")],
      ["Subject", textOfFirst(facts, "dc:subject")],
      ["Language", textOfFirst(facts, "dc:language")],
    ],
    warnings,
  });
}

/** Converts a text or presentation to HTML blocks. */
class Writer {
  readonly #codeStyles: ReadonlySet<string>;
  readonly #notes: string[] = [];
  readonly #ordered: ReadonlySet<string>;

  constructor(root: XmlElement) {
    const styles = [...elementsOf(root, "style:style")].map(
      (style) =>
        [
          style.getAttribute("style:name") ?? "",
          style.getAttribute("style:parent-style-name") ?? "",
        ] as const,
    );
    this.#codeStyles = new Set(styles.filter(([, parent]) => CODE_STYLE.test(parent)).map(([name]) => name));
    const lists = [...elementsOf(root, "text:list-style")].filter(
      (style) => firstOf(style, "text:list-level-style-number")?.getAttribute("text:level") === "1",
    );
    this.#ordered = new Set(lists.map((style) => style.getAttribute("style:name") ?? ""));
  }

  async markdown(body: XmlElement, kind: Kind): Promise<string> {
    const html =
      kind === "presentation"
        ? [...elementsOf(body, "draw:page")].map((page, i) => this.#slide(page, i + 1)).join("")
        : this.#blocks(body);
    const notes =
      this.#notes.length === 0 ? "" : `<ol>${this.#notes.map((note) => `<li>${note}</li>`).join("")}</ol>`;
    return blocksToMarkdown(html + notes);
  }

  #slide(page: XmlElement, number: number): string {
    let title = "";
    const parts: string[] = [];
    for (const part of page.children) {
      const role = part.getAttribute("presentation:class") ?? "";
      if (role === "title" && title === "") title = part.textContent.trim();
      else if (part.tagName === "presentation:notes") parts.push(this.#blocks(part));
      else parts.push(this.#blocks(part));
    }
    return `<h2>${escapeHtml(title === "" ? `Slide ${number}` : title)}</h2>${parts.join("")}`;
  }

  #blocks(parent: XmlElement): string {
    let html = "";
    for (const child of parent.children) {
      if (APART.has(child.tagName)) continue;
      if (child.tagName === "text:h") html += this.#heading(child);
      else if (child.tagName === "text:p") html += this.#paragraph(child);
      else if (child.tagName === "text:list") html += this.#list(child, false);
      else if (child.tagName === "table:table") html += this.#table(child);
      else html += this.#blocks(child);
    }
    return html.replaceAll("</pre><pre>", "\n");
  }

  #heading(element: XmlElement): string {
    const level = Math.min(6, repeated(element, "text:outline-level"));
    return `<h${level}>${this.#inline(element)}</h${level}>`;
  }

  #paragraph(element: XmlElement): string {
    const style = element.getAttribute("text:style-name") ?? "";
    const text = this.#inline(element);
    if (CODE_STYLE.test(style) || this.#codeStyles.has(style)) return `<pre>${text}</pre>`;
    // frames inside a paragraph contain separate blocks, and maybe further frames
    const inner = [...outermostOf(element, "draw:text-box")].map((box) => this.#blocks(box)).join("");
    return (text.trim() === "" ? "" : `<p>${text}</p>`) + inner;
  }

  #list(list: XmlElement, isOrdered: boolean): string {
    const style = list.getAttribute("text:style-name");
    const ordered = style === null ? isOrdered : this.#ordered.has(style);
    let items = "";
    for (const item of list.children) {
      let inner = "";
      for (const child of item.children) {
        if (child.tagName === "text:p")
          inner += `${inner === "" || inner.endsWith(">") ? "" : "<br>"}${this.#inline(child)}`;
        else if (child.tagName === "text:h") inner += this.#inline(child);
        else if (child.tagName === "text:list") inner += this.#list(child, ordered);
        else inner += this.#blocks(child);
      }
      items += `<li>${inner}</li>`;
    }
    // a heading may be inside a list that only numbers it
    const only = [...list.children].flatMap((item) => [...item.children]);
    if (only.length === 1 && itemAt(only, 0).tagName === "text:h") return this.#heading(itemAt(only, 0));
    return ordered ? `<ol>${items}</ol>` : `<ul>${items}</ul>`;
  }

  #table(table: XmlElement): string {
    let rows = "";
    for (const row of elementsOf(table, "table:table-row")) {
      let cells = "";
      for (const cell of row.children) {
        if (!/^table:(?:covered-)?table-cell$/.test(cell.tagName)) continue;
        const texts = [...elementsOf(cell, "text:p", "text:h")]
          .map((one) => this.#inline(one))
          .filter((one) => one.trim() !== "");
        cells += `<td>${texts.join("<br>")}</td>`;
      }
      rows += `<tr>${cells}</tr>`;
    }
    return `<table>${rows}</table>`;
  }

  #inline(element: XmlElement): string {
    let html = "";
    for (const node of element.childNodes) {
      if (node.nodeType === 3) html += escapeHtml(node.textContent);
      else if (isElement(node)) html += this.#inlineElement(node);
    }
    return html;
  }

  #inlineElement(element: XmlElement): string {
    switch (element.tagName) {
      case "text:s":
        return " ".repeat(Math.min(MAX_SPACES, repeated(element, "text:c")));
      case "text:tab":
        return " ";
      case "text:line-break":
        return "<br>";
      case "text:note": {
        const body = firstOf(element, "text:note-body");
        if (body) this.#notes.push([...elementsOf(body, "text:p")].map((one) => this.#inline(one)).join(" "));
        return "";
      }
      case "text:a": {
        const href = element.getAttribute("xlink:href") ?? "";
        return `<a href="${escapeHtml(href)}">${this.#inline(element)}</a>`;
      }
      case "draw:frame":
      case "draw:text-box":
        return "";
      default:
        return APART.has(element.tagName) ? "" : this.#inline(element);
    }
  }
}
