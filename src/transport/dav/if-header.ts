import { invalidArgument } from "../../domain/errors.ts";

/** Maximum length of the header in characters, and number of conditions, each of which may need a look-up. */
const MAX_LENGTH = 8192;
const MAX_CONDITIONS = 64;

/** A state token (of a lock) or an entity tag, without brackets. */
export interface IfCondition {
  readonly isNegated: boolean;
  readonly kind: "token" | "etag";
  /** An entity tag has no quotes; a weak one starts with `W/`. */
  readonly value: string;
}

/** A list of conditions that must all hold. */
export interface IfList {
  /** URL to which the conditions apply; undefined: that of the request. */
  readonly resource: string | undefined;
  readonly conditions: readonly IfCondition[];
}

const fault = (reason: string) => invalidArgument("If", reason);

/** Parses an If header (RFC 4918, section 10.4): lists of conditions, one of which must hold. Linear time. */
export function parseIf(header: string): IfList[] {
  if (header.length > MAX_LENGTH) throw fault(`must have at most ${MAX_LENGTH} characters`);
  const reader = new IfReader(header);
  const lists: IfList[] = [];
  let resource: string | undefined;
  let conditions = 0;
  for (let isFirst = true; !reader.isAtEnd(); isFirst = false) {
    const isTagged = reader.next === "<";
    if (!isFirst && isTagged && resource === undefined)
      throw fault("must have a resource before every list or before none");
    if (isTagged) {
      resource = reader.between("<", ">");
      reader.skipSpace();
    }
    do {
      const list = { resource, conditions: reader.list() };
      conditions += list.conditions.length;
      if (conditions > MAX_CONDITIONS) throw fault(`must have at most ${MAX_CONDITIONS} conditions`);
      lists.push(list);
    } while (!reader.isAtEnd() && reader.next === "(");
  }
  if (lists.length === 0) throw fault("is empty");
  return lists;
}

class IfReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get next(): string {
    return this.#text.charAt(this.#at);
  }

  skipSpace(): void {
    while (this.next === " " || this.next === "\t") this.#at++;
  }

  /** Whether only white space is left. */
  isAtEnd(): boolean {
    this.skipSpace();
    return this.#at === this.#text.length;
  }

  /** The text between two brackets, which may not contain white space or control characters. */
  between(open: string, close: string): string {
    this.#take(open);
    const end = this.#text.indexOf(close, this.#at);
    if (end < 0) throw fault(`has ${open} without a matching ${close}`);
    const inner = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    if (!/^[\x21-\x7e]+$/.test(inner)) throw fault(`has no URL or entity tag between ${open} and ${close}`);
    return inner;
  }

  list(): IfCondition[] {
    this.#take("(");
    const conditions: IfCondition[] = [];
    while (!this.isAtEnd() && this.next !== ")") {
      if (conditions.length > MAX_CONDITIONS) throw fault(`must have at most ${MAX_CONDITIONS} conditions`);
      conditions.push(this.#condition());
    }
    this.#take(")");
    if (conditions.length === 0) throw fault("must not have an empty list");
    return conditions;
  }

  #condition(): IfCondition {
    const isNegated = /^not$/i.test(this.#text.slice(this.#at, this.#at + 3));
    if (isNegated) this.#at += 3;
    this.skipSpace();
    if (this.next === "<") return { isNegated, kind: "token", value: this.between("<", ">") };
    const tag = /^(W\/)?"([^"]*)"$/.exec(this.between("[", "]"));
    if (tag === null) throw fault("has an entity tag without quotes");
    return { isNegated, kind: "etag", value: `${tag[1] ?? ""}${tag[2] ?? ""}` };
  }

  #take(character: string): void {
    if (this.next !== character || this.#at === this.#text.length)
      throw fault(`must have ${character} at character ${this.#at + 1}`);
    this.#at++;
  }
}
