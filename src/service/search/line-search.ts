import type { LinePattern, LinePlace, LineStart } from "../../domain/patterns/regular-expression.ts";
import type { PatternTask } from "./pattern-workers.ts";

interface Written {
  readonly pattern: string;
  readonly caseInsensitive: boolean;
}

/**
 * Searches a pattern in many texts: on the main thread while that is fast, otherwise in a worker. Both find
 * the same lines.
 */
export class LineSearch {
  readonly #pattern: LinePattern;
  readonly #written: Written;
  readonly #task: PatternTask;

  constructor(pattern: LinePattern, written: Written, task: PatternTask) {
    this.#pattern = pattern;
    this.#written = written;
    this.#task = task;
  }

  /** Throws the error of a pattern that only a worker can validate. */
  async check(): Promise<void> {
    if (this.#pattern.isReady) return;
    for await (const _ of this.#task.lines(this.#written, "", { line: 1, offset: 0 })) return;
  }

  /** The matching lines of a text in order. `turn` is called between short steps, to yield. */
  async *search(text: string, from: LineStart, turn: () => Promise<void>): AsyncGenerator<LinePlace> {
    const isHere = this.#pattern.isReady && !this.#task.isSlow;
    const rest = isHere ? yield* this.#here(text, from, turn) : from;
    if (rest) yield* this.#task.lines(this.#written, text, rest);
  }

  /** Returns where a worker must resume; undefined at the end of the text. */
  async *#here(
    text: string,
    from: LineStart,
    turn: () => Promise<void>,
  ): AsyncGenerator<LinePlace, LineStart | undefined> {
    let [began, offset] = [performance.now(), from.offset];
    const count = (to: number) => {
      // the time of a literal search depends only on the text, so it does not count
      if (!this.#pattern.isLiteral) this.#task.tookHere(performance.now() - began, to - offset);
      offset = to;
    };
    for (const item of this.#pattern.search(text, from)) {
      if ("end" in item) {
        yield item;
        continue;
      }
      count(item.next.offset);
      if (item.isTooLong || this.#task.isSlow) return item.next;
      await turn();
      began = performance.now();
    }
    count(text.length);
    return undefined;
  }
}
