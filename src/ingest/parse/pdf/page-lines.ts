import type { PDFPageProxy } from "pdfjs-dist";
import { itemAt, lastOf } from "../../../base/expect.ts";

/** Adjacent words of a line, separated from others by a gap of at least a letter's width. */
export interface LineCell {
  text: string;
  readonly x: number;
  end: number;
}

/**
 * A line of a page. Positions are in points from the upper left corner of the displayed page; `y` is the
 * baseline.
 */
export interface Line {
  readonly page: number;
  readonly cells: LineCell[];
  readonly y: number;
  /** The most frequent font size of the line. */
  size: number;
  readonly fonts: Map<string, number>;
}

export interface PageLines {
  readonly height: number;
  readonly lines: readonly Line[];
}

type TextItem = Extract<
  Awaited<ReturnType<PDFPageProxy["getTextContent"]>>["items"][number],
  { readonly str: string }
>;

interface Piece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly font: string;
}

/**
 * Relative to the font size: tolerance for raised or lowered text, and minimum widths of a space and of a
 * gap.
 */
const OFF_LINE = 0.3;
const RAISED = 0.7;
const SMALLER = 0.85;
const BACKWARDS = 0.6;
const SPACE = 0.13;
const GAP = 1;
/**
 * Number of previous lines to which text may still belong: the cells of a table row may each have several
 * lines in sequence.
 */
const LOOK_BACK = 8;
const UPRIGHT = 0.05;

export const lineText = (line: Line): string => line.cells.map((cell) => cell.text).join(" ");
export const startOf = (line: Line): number => itemAt(line.cells, 0).x;
export const endOf = (line: Line): number => line.cells.reduce((most, cell) => Math.max(most, cell.end), 0);

/**
 * The lines of a page in the order of its content stream. That is the reading order, except for rotated text,
 * which comes last.
 */
export async function pageLines(page: PDFPageProxy, number: number, fonts: FontWidths): Promise<PageLines> {
  const viewport = page.getViewport({ scale: 1 });
  const { items, styles } = await page.getTextContent();
  const lines: Line[] = [];
  const turned: string[] = [];
  let spaced = false;
  const onPage = matrixOf(viewport.transform);
  for (const item of items) {
    if (!("str" in item)) continue;
    const piece = pieceOf(item, onPage);
    if (item.str.trim() === "") {
      spaced ||= item.str !== "";
      if (item.hasEOL) spaced = true;
      continue;
    }
    if (!piece) {
      turned.push(item.str);
      continue;
    }
    fonts.add(`${item.fontName}`, styles[item.fontName]?.fontFamily === "monospace", piece);
    place(lines, piece, number, spaced || /^\s/.test(item.str));
    spaced = /\s$/.test(item.str) || item.hasEOL;
  }
  const aside = turned.join(" ").replace(/\s+/g, " ").trim();
  if (aside !== "")
    lines.push({
      page: number,
      cells: [{ text: aside, x: 0, end: 0 }],
      y: viewport.height * 2,
      size: 1,
      fonts: new Map(),
    });
  return { height: viewport.height, lines };
}

type Matrix = readonly [number, number, number, number, number, number];

/** A transformation matrix of pdf.js; missing values are those of the identity. */
const matrixOf = ([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[]): Matrix => [
  a,
  b,
  c,
  d,
  e,
  f,
];

/** Undefined if the text does not run from left to right on the displayed page. */
function pieceOf(item: TextItem, [a, b, c, d, e, f]: Matrix): Piece | undefined {
  const [p, q, r, s, t, u] = matrixOf(item.transform);
  const along = [a * p + c * q, b * p + d * q] as const;
  const across = [a * r + c * s, b * r + d * s] as const;
  if (Math.abs(Math.atan2(along[1], along[0])) > UPRIGHT) return undefined;
  const size = Math.hypot(...across);
  return {
    text: item.str.trim(),
    x: a * t + c * u + e,
    y: b * t + d * u + f,
    width: item.width,
    size: size || 1,
    font: item.fontName,
  };
}

function place(lines: Line[], piece: Piece, page: number, spaced: boolean): void {
  const last = lines.at(-1);
  if (last && isOn(last, piece) && piece.x >= endOf(last) - BACKWARDS * piece.size) {
    append(last, piece, spaced);
    return;
  }
  for (let i = lines.length - 2; i >= Math.max(0, lines.length - 1 - LOOK_BACK); i--) {
    const line = itemAt(lines, i);
    const isSameRow = Math.abs(line.y - piece.y) < 0.2 * piece.size && piece.x > endOf(line);
    if (!isSameRow) continue;
    append(line, piece, true);
    return;
  }
  const cell = { text: piece.text, x: piece.x, end: piece.x + piece.width };
  lines.push({
    page,
    cells: [cell],
    y: piece.y,
    size: piece.size,
    fonts: new Map([[piece.font, piece.text.length]]),
  });
}

function isOn(line: Line, { y, size }: Piece): boolean {
  const off = Math.abs(line.y - y);
  if (off <= OFF_LINE * Math.max(size, line.size)) return true;
  return (
    Math.min(size, line.size) < SMALLER * Math.max(size, line.size) &&
    off < RAISED * Math.max(size, line.size)
  );
}

function append(line: Line, piece: Piece, spaced: boolean): void {
  const cell = lastOf(line.cells);
  const gap = piece.x - cell.end;
  const unit = Math.min(piece.size, line.size);
  if (gap > GAP * unit) line.cells.push({ text: piece.text, x: piece.x, end: piece.x + piece.width });
  else {
    cell.text += (spaced || gap > SPACE * unit ? " " : "") + piece.text;
    cell.end = Math.max(cell.end, piece.x + piece.width);
  }
  const letters = [...line.fonts.values()].reduce((sum, count) => sum + count, 0);
  if (piece.text.length > letters) line.size = piece.size;
  line.fonts.set(piece.font, (line.fonts.get(piece.font) ?? 0) + piece.text.length);
}

/** Detects monospaced fonts by their flag or by equal letter widths. */
export class FontWidths {
  readonly #fonts = new Map<
    string,
    { isSaid: boolean; least: number; most: number; letters: number; pieces: number }
  >();

  add(font: string, isSaid: boolean, { text, width, size }: Piece): void {
    const known = this.#fonts.get(font) ?? {
      isSaid,
      least: Number.POSITIVE_INFINITY,
      most: 0,
      letters: 0,
      pieces: 0,
    };
    this.#fonts.set(font, known);
    if (text.length < 3) return;
    const each = width / text.length / size;
    known.least = Math.min(known.least, each);
    known.most = Math.max(known.most, each);
    known.letters += text.length;
    known.pieces++;
  }

  isTypewriter(font: string): boolean {
    const known = this.#fonts.get(font);
    if (!known) return false;
    return (
      known.isSaid ||
      (known.pieces >= 6 && known.letters >= 60 && known.most - known.least < 0.02 && known.most < 0.7)
    );
  }
}
