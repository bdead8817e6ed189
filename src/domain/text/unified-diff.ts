import { itemAt } from "../../base/expect.ts";
import type { Hunk, NumberedLines } from "./line-diff.ts";

const NO_LINE_END = "\\ No newline at end of file\n";
/** Lines per step; about a millisecond. */
const LINES_PER_STEP = 5000;

/** A hunk: adjacent changes with their context lines. */
interface Group {
  readonly changes: Hunk[];
  readonly before: number;
  beforeEnd: number;
}

export interface UnifiedDiff {
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

/**
 * Formats changes as a unified diff with `context` lines around each; undefined if longer than `maxLength`
 * UTF-16 units. Runs in steps of a millisecond.
 */
export function* unifiedDiff(
  names: { readonly from: string; readonly to: string },
  texts: NumberedLines,
  changes: readonly Hunk[],
  { context, maxLength }: { readonly context: number; readonly maxLength: number },
): Generator<undefined, UnifiedDiff | undefined> {
  if (changes.length === 0) return { text: "", added: 0, removed: 0 };
  const writer = new Writer(texts);
  writer.put(`--- ${names.from}\n+++ ${names.to}\n`);
  let [added, removed] = [0, 0];
  for (const group of grouped(changes, context, texts.before.length)) {
    writer.head(group);
    let at = group.before;
    for (const change of group.changes) {
      yield* writer.lines(" ", texts.before, at, change.before);
      at = change.before + change.removed;
      yield* writer.lines("-", texts.before, change.before, at);
      yield* writer.lines("+", texts.after, change.after, change.after + change.added);
      added += change.added;
      removed += change.removed;
    }
    yield* writer.lines(" ", texts.before, at, group.beforeEnd);
    if (writer.length > maxLength) return undefined;
  }
  return { text: writer.text, added, removed };
}

function grouped(changes: readonly Hunk[], context: number, length: number): Group[] {
  const groups: Group[] = [];
  for (const change of changes) {
    const before = Math.max(0, change.before - context);
    const beforeEnd = Math.min(length, change.before + change.removed + context);
    const last = groups.at(-1);
    if (last && before <= last.beforeEnd) {
      last.changes.push(change);
      last.beforeEnd = beforeEnd;
    } else groups.push({ changes: [change], before, beforeEnd });
  }
  return groups;
}

class Writer {
  /** Lines are joined in every step, because joining a million lines at once blocks the event loop. */
  readonly #pieces: string[] = [];
  #lines: string[] = [];
  readonly #texts: NumberedLines;
  length = 0;

  constructor(texts: NumberedLines) {
    this.#texts = texts;
  }

  get text(): string {
    this.#join();
    return this.#pieces.join("");
  }

  put(part: string): void {
    if (this.#lines.push(part) === LINES_PER_STEP) this.#join();
    this.length += part.length;
  }

  #join(): void {
    this.#pieces.push(this.#lines.join(""));
    this.#lines = [];
  }

  head({ changes, before, beforeEnd }: Group): void {
    const first = itemAt(changes, 0);
    const after = first.after - (first.before - before);
    let longer = 0;
    for (const { added, removed } of changes) longer += added - removed;
    const count = beforeEnd - before;
    this.put(`@@ -${range(before, count)} +${range(after, count + longer)} @@\n`);
  }

  *lines(mark: string, side: Int32Array, from: number, to: number): Generator<undefined, void> {
    for (let at = from; at < to; at++) {
      const line = itemAt(this.#texts.lines, side[at] ?? -1);
      this.put(line.endsWith("\n") ? `${mark}${line}` : `${mark}${line}\n${NO_LINE_END}`);
      if (at % LINES_PER_STEP === 0) yield;
    }
  }
}

/** Formats a range. Lines count from 1; an empty range has the number of the preceding line. */
const range = (start: number, count: number): string =>
  count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
