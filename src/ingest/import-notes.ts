const MAX_WARNINGS = 100;

/** Warnings about skipped files: the first ones with their names, the others as a count. */
export class SkipWarnings {
  readonly #first: string[] = [];
  #more = 0;

  add(sentence: string): void {
    if (this.#first.length < MAX_WARNINGS) this.#first.push(sentence);
    else this.#more++;
  }

  get told(): readonly string[] {
    return this.#more === 0
      ? this.#first
      : [...this.#first, `and ${this.#more} more that were skipped or renamed`];
  }
}
