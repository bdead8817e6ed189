const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Characters that precede a value or name: brackets, braces, commas and colons. */
export const IS_BEFORE_VALUE = new Uint8Array(256);
for (const sign of "[{,:") IS_BEFORE_VALUE[sign.charCodeAt(0)] = 1;

/**
 * Counts the values and names of a JSON text that arrives in parts. Parsing and checking a text of many short
 * values blocks the event loop, and takes a multiple of its size.
 */
export class ValueCounter {
  count = 0;
  #isInText = false;
  #isEscaped = false;

  add(part: Uint8Array): void {
    for (const byte of part) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === QUOTE) this.#isInText = !this.#isInText;
      else if (!this.#isInText) this.count += IS_BEFORE_VALUE[byte] ?? 0;
      else if (byte === BACKSLASH) this.#isEscaped = true;
    }
  }
}

/** Counts the values and names of a whole JSON text. */
export function countValues(json: Uint8Array): number {
  const counter = new ValueCounter();
  counter.add(json);
  return counter.count;
}
