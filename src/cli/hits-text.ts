import type { FindResponse, MatchedContext } from "../../clients/typescript/src/gen/ctxdb/v1/search_pb.ts";
import { printable } from "../base/printable.ts";
import type { Shell } from "./shell.ts";
import { wrap } from "./terminal/columns.ts";

type Found = Pick<FindResponse, "memories" | "resources" | "skills">;

/** Output options of hits. */
export interface HitOptions {
  /** Print whole passages instead of their first lines. */
  readonly full?: boolean;
}

const PASSAGE_LINES = 3;
const INDENT = "      ";
/** Layer files. A hit on one of them represents its folder. */
const LAYER_FILE = /\/\.(overview|abstract)\.md$/;

/** Formats all hits, best first: score and URI, passage, and why it matched. */
export function hitsText(
  found: Found,
  { paint, width }: Pick<Shell, "paint" | "width">,
  { full }: HitOptions,
): string {
  const hits = [...found.memories, ...found.resources, ...found.skills].sort((a, b) => b.score - a.score);
  return hits
    .map((hit) => {
      const head = `${paint.good(hit.score.toFixed(2))}  ${paint.name(printable((hit.source ?? hit.uri).replace(LAYER_FILE, "/")))}\n`;
      const section = hit.source === undefined ? "" : indented([`in ${sectionOf(hit)}`], paint.faint);
      const lines = passageLines(hit.match || hit.abstract, width, full === true);
      return (
        head + section + indented(lines, (text) => text) + indented([printable(hit.matchReason)], paint.faint)
      );
    })
    .join("\n");
}

/** Wraps a passage to the terminal width; on one uncut line if the output is not a terminal. */
function passageLines(text: string, width: number | undefined, full: boolean): string[] {
  if (width === undefined) return [printable(text).replace(/\s+/g, " ").trim()];
  return wrap(text, width - INDENT.length, full ? Number.MAX_SAFE_INTEGER : PASSAGE_LINES);
}

/** The last two segments of a section's URI; the original file is printed above. */
const sectionOf = ({ uri }: Pick<MatchedContext, "uri">): string =>
  printable(uri.split("/").slice(-2).join("/"));

const indented = (lines: readonly string[], style: (text: string) => string): string =>
  lines
    .filter((line) => line !== "")
    .map((line) => `${INDENT}${style(line)}\n`)
    .join("");
