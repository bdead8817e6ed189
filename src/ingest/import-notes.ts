const MAX_WARNINGS = 100;
/**
 * Maximum number of notes, and of their characters, because a task stores them in one record, and each of a
 * hundred thousand files may have a thousand.
 */
const MAX_NOTES = 500;
const MAX_NOTES_LENGTH = 64 * 1024;

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

/** Warnings or errors of the files of an import: the first ones that fit, the others as a count. */
export class ImportNotes {
  readonly #first: string[] = [];
  #length = 0;
  #more = 0;

  add(notes: readonly string[]): void {
    for (const note of notes) {
      this.#length += note.length;
      if (this.#first.length < MAX_NOTES && this.#length <= MAX_NOTES_LENGTH) this.#first.push(note);
      else this.#more++;
    }
  }

  /** Adds the notes of another step of the import. */
  include(other: ImportNotes): void {
    this.add(other.#first);
    this.#more += other.#more;
  }

  get told(): readonly string[] {
    return this.#more === 0 ? this.#first : [...this.#first, `and ${this.#more} more`];
  }
}
