import { itemAt, lastOf, valueFor } from "../../../base/expect.ts";
import { LEADERS } from "./heading-levels.ts";
import { endOf, type FontWidths, type Line, lineText, startOf } from "./page-lines.ts";
import { tableAt, tableMarkdown } from "./table.ts";

/** Maximum distance between lines of a paragraph, relative to the font size. */
const MAX_LEADING = 1.75;
const INDENT = 0.7;
/** Minimum free share of the column's width after which a line ends its paragraph. */
const FREE = 0.25;
const MIN_CODE_SHARE = 0.9;
const BULLET = /^(?:[•‣▪▫●○◦■□◆◇▶►➢➤✓✔–—*·∙-]|\p{Co})(?:\s+|$)/u;
const NUMBER = /^\(?(\d{1,3}|[a-z])[.)]\s+/;
const ENDS_SENTENCE = /[.!?:;…。！？]["'”’)\]]*$/;

interface Block {
  kind: "heading" | "text" | "item" | "code" | "table";
  /**
   * The texts of its lines, each with the space before it. A paragraph may have all lines of a document, so
   * that whatever is asked for each line looks at the last text alone.
   */
  readonly texts: string[];
  level: number;
  readonly lines: Line[];
}

/** Converts lines in reading order to Markdown. `levels`: heading levels by line. */
export function blocksOf(
  lines: readonly Line[],
  levels: ReadonlyMap<Line, number>,
  fonts: FontWidths,
): string {
  return new Blocks(lines, levels, fonts).markdown();
}

class Blocks {
  readonly #lines: readonly Line[];
  readonly #levels: ReadonlyMap<Line, number>;
  readonly #fonts: FontWidths;
  readonly #blocks: Block[] = [];
  /** Words that contain a hyphen in the middle of a line. */
  readonly #hyphened: ReadonlySet<string>;
  readonly #rights: ReadonlyMap<number, number>;

  constructor(lines: readonly Line[], levels: ReadonlyMap<Line, number>, fonts: FontWidths) {
    this.#levels = levels;
    this.#fonts = fonts;
    this.#lines = lines.map(withMarkerJoined);
    this.#levels = new Map(
      lines.flatMap((line, i) =>
        levels.has(line) ? [[itemAt(this.#lines, i), valueFor(levels, line)] as const] : [],
      ),
    );
    this.#hyphened = new Set(
      lines.flatMap(
        (line) =>
          lineText(line)
            .toLowerCase()
            .match(/\p{L}+-\p{L}+/gu) ?? [],
      ),
    );
    this.#rights = rightEdges(this.#lines);
  }

  markdown(): string {
    for (let i = 0; i < this.#lines.length; ) i += this.#take(i);
    const texts = this.#blocks.map((block, i) => {
      const before = this.#blocks[i - 1];
      return `${i === 0 ? "" : before?.kind === "item" && block.kind === "item" ? "\n" : "\n\n"}${rendered(block)}`;
    });
    return texts.join("");
  }

  /** Converts the line, or the table that starts there; returns the number of lines used. */
  #take(i: number): number {
    const line = itemAt(this.#lines, i);
    const level = this.#levels.get(line);
    const last = this.#blocks.at(-1);
    if (level !== undefined) {
      this.#heading(line, level, last);
      return 1;
    }
    if (this.#isCode(line)) {
      if (last?.kind === "code" && lastOf(last.lines).page >= line.page - 1) last.lines.push(line);
      else this.#blocks.push({ kind: "code", texts: [], level: 0, lines: [line] });
      return 1;
    }
    if (LEADERS.test(lineText(line))) {
      const text = `• ${lineText(line)
        .replace(LEADERS, " ")
        .replace(/(?:\.\s?){2,}/g, " ")}`;
      this.#blocks.push({ kind: "item", texts: [text], level: 0, lines: [line] });
      return 1;
    }
    const table = line.cells.length >= 2 ? tableAt(this.#lines, i) : undefined;
    if (table) {
      this.#blocks.push({
        kind: "table",
        texts: [tableMarkdown(table)],
        level: 0,
        lines: this.#lines.slice(i, i + table.length),
      });
      return table.length;
    }
    this.#text(line, this.#lines[i + 1], last);
    return 1;
  }

  #heading(line: Line, level: number, last: Block | undefined): void {
    const before = last?.lines.at(-1);
    const goesOn =
      last?.kind === "heading" &&
      last.level === level &&
      before?.page === line.page &&
      line.y - before.y < 1.7 * line.size &&
      line.y > before.y;
    if (goesOn) {
      this.#join(last, lineText(line));
      last.lines.push(line);
    } else this.#blocks.push({ kind: "heading", texts: [lineText(line)], level, lines: [line] });
  }

  #text(line: Line, next: Line | undefined, last: Block | undefined): void {
    const text = lineText(line);
    const isItem = BULLET.test(text) || NUMBER.test(text);
    const goesOn = last && (last.kind === "text" || last.kind === "item") && this.#goesOn(last, line, next);
    if (goesOn && !(isItem && endsSentence(last)) && !BULLET.test(text)) {
      this.#join(last, text);
      last.lines.push(line);
    } else this.#blocks.push({ kind: isItem ? "item" : "text", texts: [text], level: 0, lines: [line] });
  }

  #goesOn(block: Block, line: Line, next: Line | undefined): boolean {
    const before = lastOf(block.lines);
    const text = lineText(line);
    const isBroken = line.page !== before.page || line.y < before.y;
    // continue a paragraph across pages or columns only within a sentence
    if (isBroken)
      return !endsSentence(block) && /^[\p{Ll}\d(]/u.test(text) && Math.abs(line.size - before.size) < 1;
    if (
      line.y - before.y > MAX_LEADING * Math.max(line.size, before.size) ||
      Math.abs(line.size - before.size) > 0.15 * before.size
    )
      return false;
    if (startOf(line) > endOf(before) || endOf(line) < startOf(before)) return false;
    if (block.kind === "item")
      return startOf(line) > startOf(itemAt(block.lines, 0)) + 0.3 * line.size || !endsSentence(block);
    const left = Math.min(...block.lines.slice(-3).map(startOf));
    const isIndented = startOf(line) > left + INDENT * line.size;
    const returns =
      !next || next.page !== line.page || startOf(next) < startOf(line) - INDENT * 0.7 * line.size;
    if (isIndented && endsSentence(block) && returns) return false;
    const right = this.#rights.get(line.page) ?? endOf(before);
    const isShort = endOf(before) < right - (right - left) * FREE;
    return !(isShort && endsSentence(block));
  }

  #isCode(line: Line): boolean {
    let typewriter = 0;
    let all = 0;
    for (const [font, letters] of line.fonts) {
      all += letters;
      if (this.#fonts.isTypewriter(font)) typewriter += letters;
    }
    return all > 0 && typewriter >= all * MIN_CODE_SHARE;
  }

  /** Adds a line. Removes a hyphen before it, unless the word also occurs with it elsewhere. */
  #join({ texts }: Block, more: string): void {
    const text = lastOf(texts);
    const head = /(\p{L}+)[-\u2010\u00ad]$/u.exec(text);
    const tail = /^\p{Ll}+/u.exec(more);
    if (!head || !tail) {
      texts.push(text.endsWith("/") ? more : ` ${more}`);
      return;
    }
    const isHyphened = this.#hyphened.has(`${head[1]}-${tail[0]}`.toLowerCase());
    if (!isHyphened) texts[texts.length - 1] = text.slice(0, -1);
    texts.push(more);
  }
}

const endsSentence = ({ texts }: Block): boolean => ENDS_SENTENCE.test(lastOf(texts));

/** Joins the marker of a list item with its text, so that they are not taken for two cells. */
function withMarkerJoined(line: Line): Line {
  const [first, second] = line.cells;
  if (
    !first ||
    !second ||
    !(BULLET.test(first.text) || /^\(?(?:\d{1,3}|[a-z])[.)]$/.test(first.text)) ||
    first.text.length > 5
  )
    return line;
  const cell = { text: `${first.text} ${second.text}`, x: first.x, end: second.end };
  return { ...line, cells: [cell, ...line.cells.slice(2)] };
}

/** Right edge of the lines on each page. */
function rightEdges(lines: readonly Line[]): Map<number, number> {
  const edges = new Map<number, number>();
  for (const line of lines) edges.set(line.page, Math.max(edges.get(line.page) ?? 0, endOf(line)));
  return edges;
}

function rendered(block: Block): string {
  const whole = block.texts.join("");
  const text = whole.replace(/\s+/g, " ").trim();
  if (block.kind === "heading") return `${"#".repeat(block.level)} ${text}`;
  if (block.kind === "item")
    return BULLET.test(text) ? `- ${text.replace(BULLET, "")}` : text.replace(/^\(?(\d{1,3})[.)]\s+/, "$1. ");
  if (block.kind === "table") return whole;
  if (block.kind === "code") return codeMarkdown(block.lines);
  // escape the beginning of a paragraph if it looks like other Markdown
  return text.replace(/^(#{1,6}\s|[>+|]|```|~~~)/, "\\$1");
}

/** Formats code; indentation is derived from the lines' positions, in letter widths. */
function codeMarkdown(lines: readonly Line[]): string {
  const first = itemAt(lines, 0);
  const { text, x, end } = itemAt(first.cells, 0);
  const width = (end - x) / Math.max(1, text.length) || first.size * 0.6;
  const left = lines.reduce((least, line) => Math.min(least, startOf(line)), Number.POSITIVE_INFINITY);
  const rows: string[] = [];
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1];
    if (before && before.page === line.page && line.y - before.y > 1.9 * line.size) rows.push("");
    let row = "";
    for (const cell of line.cells)
      row =
        row.padEnd(Math.min(120, Math.round((cell.x - left) / width)), " ") +
        (row === "" || row.endsWith(" ") ? "" : " ") +
        cell.text;
    rows.push(row);
  }
  const fence = rows.some((row) => row.includes("```")) ? "~~~" : "```";
  return [fence, ...rows, fence].join("\n").replace(/^(```|~~~)\n +$/gm, "$1");
}
