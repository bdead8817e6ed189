import { itemAt } from "../base/expect.ts";
import { hasWordFrom } from "../domain/text/analyse.ts";
import { MAX_MATCH, type ShownText } from "./chunk-texts.ts";

/**
 * In a passage of messages that is too long to show, the message with the most of the query's words, and as
 * many of its neighbours as fit. `starts`: the prefixes of these words (wordStart).
 */
export function bestPart(passage: ShownText, starts: readonly string[]): ShownText {
  if (passage.text.length <= MAX_MATCH) return passage;
  const { parts } = passage;
  if (parts.length === 1) return passage.shownPart(0, () => passage.text.slice(0, MAX_MATCH).trimEnd());
  const scores = parts.map(({ lower }) => starts.filter((start) => hasWordFrom(lower, start)).length);
  const best = scores.indexOf(scores.reduce((a, b) => Math.max(a, b), 0));
  return passage.shownPart(best, () => withNeighbours(passage, best));
}

function withNeighbours({ parts }: ShownText, best: number): string {
  let [from, end, room] = [best, best + 1, MAX_MATCH - itemAt(parts, best).text.length];
  for (let side = 0, stuck = 0; stuck < 2; side = 1 - side) {
    const next = side === 0 ? parts[end] : parts[from - 1];
    if (next === undefined || next.text.length > room) {
      stuck++;
      continue;
    }
    stuck = 0;
    room -= next.text.length;
    if (side === 0) end++;
    else from--;
  }
  const shown = parts.slice(from, end).map(({ text }) => text);
  return shown.join("").trimEnd().slice(0, MAX_MATCH);
}
