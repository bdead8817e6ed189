import { valueFor } from "../../../base/expect.ts";
import { type Line, lineText, type PageLines } from "./page-lines.ts";

/** Number of lines at the top and bottom of a page that may be running headers, footers or page numbers. */
const EDGE_LINES = 3;
const MIN_PAGES = 3;
/** Tolerance in points for equal heights. */
const SAME_HEIGHT = 4;
/** Factor of the font size above which a line is a heading, even if such lines differ only by a number. */
const LARGER = 1.15;

/** Page numbers; they are removed only within running headers and footers. */
const PAGE_NUMBER = /^(?:\d+|[ivxlc]+)(?=\s|$)|(?<=^|\s)(?:\d+|[ivxlc]+|\d+ ?(?:of|\/) ?\d+)$/gi;

/**
 * Removes repeated lines at the top and bottom of pages: those with the same words, ignoring numbers, at the
 * same height on three or more pages.
 */
export function withoutHeadersAndFooters(pages: readonly PageLines[], bodySize: number): Line[][] {
  const counts = new Map<string, Set<number>>();
  const keys = new Map<Line, string[]>();
  for (const [i, page] of pages.entries()) {
    for (const line of edges(page)) {
      const found = keysOf(line, page.height, bodySize);
      keys.set(line, found);
      for (const key of found) {
        const seen = counts.get(key);
        if (seen) seen.add(i);
        else counts.set(key, new Set([i]));
      }
    }
  }
  const isRepeated = (line: Line) =>
    keys.get(line)?.some((key) => valueFor(counts, key).size >= MIN_PAGES) ?? false;
  return pages.map(({ lines }) => lines.filter((line) => !isRepeated(line)));
}

function edges({ lines, height }: PageLines): Line[] {
  const sorted = lines.filter((line) => line.y <= height).sort((a, b) => a.y - b.y);
  return sorted.length <= 2 * EDGE_LINES
    ? sorted
    : [...sorted.slice(0, EDGE_LINES), ...sorted.slice(-EDGE_LINES)];
}

/**
 * Keys of a line by its text and height. Heights are rounded to two shifted grids, so that no two close
 * heights are separated by both.
 */
function keysOf(line: Line, height: number, bodySize: number): string[] {
  const text = lineText(line).replace(/\s+/g, " ").trim();
  const isAtEdge = line.y < height * 0.15 || line.y > height * 0.85;
  if (!isAtEdge) return [];
  const words = line.size > bodySize * LARGER ? text : text.replace(PAGE_NUMBER, "#");
  return [0, SAME_HEIGHT / 2].map(
    (shift) => `${shift} ${Math.floor((line.y + shift) / SAME_HEIGHT)} ${words}`,
  );
}
