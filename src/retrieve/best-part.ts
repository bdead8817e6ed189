import { itemAt } from "../base/expect.ts";
import { hasWordFrom } from "../domain/text/analyse.ts";

/** Messages and paragraphs, each with its trailing blank line: joined they are the passage. */
const PARTS = /(?<=\n\n)/;

/**
 * In a passage of messages that is too long to show, the message with the most of the query's words, and as
 * many of its neighbours as fit. `starts`: the prefixes of these words (wordStart).
 */
export function bestPart(passage: string, starts: readonly string[], max: number): string {
  if (passage.length <= max) return passage;
  const parts = passage.split(PARTS);
  if (parts.length === 1) return passage.slice(0, max).trimEnd();
  const scores = parts.map((part) => {
    const plain = part.toLowerCase();
    return starts.filter((start) => hasWordFrom(plain, start)).length;
  });
  const best = scores.indexOf(scores.reduce((a, b) => Math.max(a, b), 0));
  let [from, end, room] = [best, best + 1, max - itemAt(parts, best).length];
  for (let side = 0, stuck = 0; stuck < 2; side = 1 - side) {
    const next = side === 0 ? parts[end] : parts[from - 1];
    if (next === undefined || next.length > room) {
      stuck++;
      continue;
    }
    stuck = 0;
    room -= next.length;
    if (side === 0) end++;
    else from--;
  }
  return parts.slice(from, end).join("").trimEnd().slice(0, max);
}
