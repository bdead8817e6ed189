import { append } from "../base/append.ts";
import type { SecretMode } from "../domain/secrets/policy.ts";
import type { Secret } from "../domain/secrets/scan.ts";

/** The content that was searched. */
export interface FoundIn {
  /** Field of the request, such as `content`. */
  readonly field: string;
  /** URI at which the content would be stored, if known. */
  readonly uri?: string | undefined;
  /** Short name for messages; default: the URI or the field. */
  readonly shown?: string;
}

/** Maximum number of warnings per operation, plus one for the number of omitted ones. */
const MAX_NOTES = 500;

const DONE: Readonly<Record<SecretMode, string>> = {
  off: "",
  warn: "stored as it is",
  redact: "redacted",
  refuse: "refused",
};

/** Secrets found by one operation: only their kinds and locations, never the secrets. */
export class FoundSecrets {
  readonly mode: SecretMode;
  readonly #kinds = new Map<string, number>();
  readonly #notes: string[] = [];
  #first: string | undefined;
  #total = 0;
  #omitted = 0;

  constructor(mode: SecretMode) {
    this.mode = mode;
  }

  get total(): number {
    return this.#total;
  }

  /** Number of secrets by kind. */
  get kinds(): ReadonlyMap<string, number> {
    return this.#kinds;
  }

  /** Warnings, one per kind and location. */
  get notes(): readonly string[] {
    return this.#omitted === 0
      ? this.#notes
      : [...this.#notes, `secrets were found in ${this.#omitted} more places`];
  }

  /** Kinds and first location, for the audit log. */
  get summary(): string {
    const kinds = [...this.#kinds].map(([kind, count]) => `${kind} ${count}`).join(", ");
    return `secrets ${DONE[this.mode]}: ${kinds}; first in ${this.#first}`;
  }

  /** Discards the findings of an attempt, before the next one. */
  clear(): void {
    this.#kinds.clear();
    this.#notes.length = 0;
    this.#first = undefined;
    this.#total = 0;
    this.#omitted = 0;
  }

  /** Adds the findings of another step of the operation. */
  include(more: FoundSecrets): void {
    this.#first ??= more.#first;
    this.#total += more.#total;
    for (const [kind, count] of more.#kinds) this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + count);
    const kept = more.#notes.slice(0, MAX_NOTES - this.#notes.length);
    append(this.#notes, kept);
    this.#omitted += more.#omitted + more.#notes.length - kept.length;
  }

  add({ field, uri, shown = uri ?? field }: FoundIn, secrets: readonly Secret[]): void {
    this.#first ??= uri ?? shown;
    const first = new Map<string, { line: number; count: number }>();
    for (const { kind, line } of secrets) {
      this.#total++;
      this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
      const known = first.get(kind);
      if (known) known.count++;
      else first.set(kind, { line, count: 1 });
    }
    for (const [kind, { line, count }] of first) {
      if (this.#notes.length >= MAX_NOTES) this.#omitted++;
      else
        this.#notes.push(
          `${shown}: line ${line}: secret ${DONE[this.mode]} (${kind}${count > 1 ? `, ${count} of them` : ""})`,
        );
    }
  }
}
