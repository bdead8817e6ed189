import { RE2JS } from "re2js";
import { itemAt } from "../base/expect.ts";
import { invalidArgument } from "./errors.ts";
import { compileCost, MAX_COMPILE_COST } from "./patterns/pattern-cost.ts";
import { tagForm } from "./tags.ts";
import { isoTime } from "./text/iso-time.ts";

/**
 * Fields of a hit that a filter can read. Members may be getters, because they are read on demand. Times are
 * Unix time in ms.
 */
export interface FilterSubject {
  readonly uri: string;
  readonly context_type: string;
  readonly level: number;
  readonly name: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly created_at: number;
  readonly updated_at: number;
  readonly active_count: number;
  readonly mime: string;
}

export type Field = keyof FilterSubject;
type Bound = "gt" | "gte" | "lt" | "lte";

/**
 * A validated filter: plain data, except for compiled patterns. Strings are NFC, times are Unix time in ms.
 */
export type Filter =
  | { readonly kind: "all" | "any" | "none"; readonly of: readonly Filter[] }
  | {
      readonly kind: "in";
      readonly field: Field;
      readonly values: ReadonlySet<string | number>;
      readonly negated: boolean;
    }
  | {
      readonly kind: "range";
      readonly field: Field;
      readonly bounds: Readonly<Partial<Record<Bound, number>>>;
    }
  | { readonly kind: "prefix" | "contains"; readonly field: Field; readonly text: string }
  /** The pattern is undefined if compiling it is too costly for the main thread (see `readFilter`). */
  | { readonly kind: "regex"; readonly field: Field; readonly pattern: RE2JS | undefined };

/** A filter that the main thread can evaluate. */
export interface ReadFilter {
  readonly conditions: Filter;
  /** False if the filter has patterns that only a worker may compile; the worker then also validates them. */
  readonly isReady: boolean;
  /** Fields that the filter reads. */
  readonly fields: ReadonlySet<Field>;
  /** Upper bound of the cost of evaluating one subject, in RE2 instructions × characters. */
  costOf(subject: FilterSubject): number;
}

export const MAX_FILTER_DEPTH = 16;
/** Maximum number of branches, leaves and listed values together. */
export const MAX_FILTER_CONDITIONS = 1000;
export const MAX_FILTER_STRING_BYTES = 4096;
/**
 * Maximum RE2 instructions of all patterns together. Matching is linear in instructions × text, so this
 * bounds the time of an evaluation.
 */
export const MAX_FILTER_PATTERN_SIZE = 1000;

const TYPES: Readonly<Record<Field, "text" | "number" | "time">> = {
  uri: "text",
  context_type: "text",
  level: "number",
  name: "text",
  category: "text",
  tags: "text",
  created_at: "time",
  updated_at: "time",
  active_count: "number",
  mime: "text",
};

const BRANCHES: ReadonlyMap<unknown, "all" | "any" | "none"> = new Map([
  ["and", "all"],
  ["or", "any"],
  ["not", "none"],
]);
const OPERANDS: ReadonlyMap<unknown, string> = new Map([
  ["prefix", "prefix"],
  ["contains", "substring"],
  ["regex", "pattern"],
]);
const BOUNDS: readonly Bound[] = ["gt", "gte", "lt", "lte"];

/**
 * Parses the `filter` of find and search. Throws INVALID_ARGUMENT naming `filter…` for unknown operations,
 * fields and keys, wrong types, patterns that RE2 rejects, times that are not ISO 8601, and exceeded limits.
 * `{}` and an empty `and` or `not` match everything; an empty `or` or value list matches nothing.
 */
export function parseFilter(value: unknown): Filter {
  return new Parser(Number.POSITIVE_INFINITY).node(value, "filter", 1);
}

/** Like `parseFilter`, for the main thread: does not compile costly patterns. */
export function readFilter(value: unknown): ReadFilter {
  const parser = new Parser(MAX_COMPILE_COST);
  const conditions = parser.node(value, "filter", 1);
  const { isReady, fields } = parser;
  return { conditions, isReady, fields, costOf: parser.costOf.bind(parser) };
}

/** Evaluates a filter in time linear in the size of filter and subject, for any pattern. */
export function matches(filter: Filter, subject: FilterSubject): boolean {
  switch (filter.kind) {
    case "all":
      return filter.of.every((one) => matches(one, subject));
    case "any":
      return filter.of.some((one) => matches(one, subject));
    case "none":
      return !filter.of.some((one) => matches(one, subject));
    case "in":
      return valuesOf(subject, filter.field).some((value) => filter.values.has(value)) !== filter.negated;
    case "range":
      return within(subject[filter.field] as number, filter.bounds);
    case "prefix":
      return valuesOf(subject, filter.field).some((value) => String(value).startsWith(filter.text));
    case "contains":
      return valuesOf(subject, filter.field).some((value) => String(value).includes(filter.text));
    case "regex":
      return valuesOf(subject, filter.field).some((value) => filter.pattern?.test(String(value)) ?? false);
  }
}

function valuesOf(subject: FilterSubject, field: Field): readonly (string | number)[] {
  return field === "tags" ? subject.tags : [subject[field]];
}

function within(value: number, { gt, gte, lt, lte }: Partial<Record<Bound, number>>): boolean {
  return (
    (gt === undefined || value > gt) &&
    (gte === undefined || value >= gte) &&
    (lt === undefined || value < lt) &&
    (lte === undefined || value <= lte)
  );
}

/** Cost of a condition that does not search text. */
const CONDITION_COST = 0.5;
/**
 * Cost of a substring search per character, in instructions. A long substring costs its length times
 * LONG_SUBSTRING_SHARE per character.
 */
const SHORT_SUBSTRING_COST = 0.1;
const SHORT_SUBSTRING = 200;
const LONG_SUBSTRING_SHARE = 1 / 256;

/** Parses one filter and tracks its limits. */
class Parser {
  isReady = true;
  readonly fields = new Set<Field>();
  readonly #costs = new Map<Field, number>();
  #conditions = 0;
  #patternSize = 0;
  #compileLeft: number;

  /** `compileLeft`: budget for compiling all patterns. */
  constructor(compileLeft: number) {
    this.#compileLeft = compileLeft;
  }

  costOf(subject: FilterSubject): number {
    let cost = this.#conditions * CONDITION_COST;
    for (const [field, ofCharacter] of this.#costs) cost += ofCharacter * (String(subject[field]).length + 1);
    return cost;
  }

  node(value: unknown, at: string, depth: number): Filter {
    this.#count(at);
    if (depth > MAX_FILTER_DEPTH)
      throw invalidArgument(at, `must be at most ${MAX_FILTER_DEPTH} levels deep`);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw invalidArgument(at, "must be an object");
    const node = new Map(Object.entries(value));
    if (!node.has("op")) return this.#pairs(node, at);
    const op = node.get("op");
    const branch = BRANCHES.get(op);
    if (branch) {
      only(node, ["op", "conds"], at);
      return {
        kind: branch,
        of: list(node.get("conds"), `${at}.conds`).map((one, i) =>
          this.node(one, `${at}.conds[${i}]`, depth + 1),
        ),
      };
    }
    return this.#leaf(op, node, at);
  }

  #pairs(node: Map<string, unknown>, at: string): Filter {
    const leaves = [...node].map(([key, wanted]): Filter => {
      const where = `${at}.${key}`;
      const field = this.#field(key, where);
      return {
        kind: "in",
        field,
        values: this.#values(field, Array.isArray(wanted) ? wanted : [wanted], where),
        negated: false,
      };
    });
    return leaves.length === 1 ? itemAt(leaves, 0) : { kind: "all", of: leaves };
  }

  #leaf(op: unknown, node: Map<string, unknown>, at: string): Filter {
    const own = OPERANDS.get(op);
    if (own) return this.#text(op as "prefix" | "contains" | "regex", own, node, at);
    if (op === "must" || op === "must_not") {
      only(node, ["op", "field", "conds"], at);
      const field = this.#field(node.get("field"), `${at}.field`);
      return {
        kind: "in",
        field,
        values: this.#values(field, list(node.get("conds"), `${at}.conds`), `${at}.conds`),
        negated: op === "must_not",
      };
    }
    if (op === "range" || op === "time_range") {
      const leaf = range(op, node, at);
      this.fields.add(leaf.field);
      return leaf;
    }
    throw invalidArgument(
      `${at}.op`,
      "must be one of and, or, not, must, must_not, range, time_range, prefix, contains, regex",
    );
  }

  #text(kind: "prefix" | "contains" | "regex", own: string, node: Map<string, unknown>, at: string): Filter {
    only(node, ["op", "field", own, "value"], at);
    const field = this.#field(node.get("field"), `${at}.field`);
    if (TYPES[field] !== "text")
      throw invalidArgument(
        `${at}.field`,
        `must be a text field for ${kind}: uri, context_type, name, category, tags or mime`,
      );
    if (node.has(own) && node.has("value"))
      throw invalidArgument(`${at}.value`, `cannot be combined with ${own}: give one of them`);
    const key = node.has("value") ? "value" : own;
    const isTag = field === "tags" && kind !== "regex";
    const text = (isTag ? checkedTag : checkedText)(node.get(key), `${at}.${key}`);
    if (kind === "regex") return { kind, field, pattern: this.#pattern(field, text, `${at}.${key}`) };
    if (kind === "contains")
      this.#addCost(
        field,
        text.length > SHORT_SUBSTRING ? text.length * LONG_SUBSTRING_SHARE : SHORT_SUBSTRING_COST,
      );
    return { kind, field, text };
  }

  #field(name: unknown, at: string): Field {
    const field = fieldOf(name, at);
    this.fields.add(field);
    return field;
  }

  #addCost(field: Field, ofCharacter: number): void {
    this.#costs.set(field, (this.#costs.get(field) ?? 0) + ofCharacter);
  }

  #pattern(field: Field, text: string, at: string): RE2JS | undefined {
    this.#compileLeft -= compileCost(text, false);
    if (this.#compileLeft < 0) {
      this.isReady = false;
      return undefined;
    }
    let pattern: RE2JS;
    try {
      pattern = RE2JS.compile(text);
    } catch {
      throw invalidArgument(at, "must be a regular expression in RE2 syntax");
    }
    this.#addCost(field, pattern.programSize());
    this.#patternSize += pattern.programSize();
    if (this.#patternSize > MAX_FILTER_PATTERN_SIZE)
      throw invalidArgument(
        at,
        "the regular expressions of the filter are too large in total: use fewer or simpler ones",
      );
    return pattern;
  }

  #values(field: Field, wanted: readonly unknown[], at: string): Set<string | number> {
    const text = field === "tags" ? checkedTag : checkedText;
    const read = { text, number: checkedNumber, time: checkedTime }[TYPES[field]];
    return new Set(
      wanted.map((value) => {
        this.#count(at);
        return read(value, at);
      }),
    );
  }

  #count(at: string): void {
    this.#conditions += 1;
    if (this.#conditions > MAX_FILTER_CONDITIONS)
      throw invalidArgument(at, `must have at most ${MAX_FILTER_CONDITIONS} conditions`);
  }
}

function range(
  op: "range" | "time_range",
  node: Map<string, unknown>,
  at: string,
): Extract<Filter, { kind: "range" }> {
  only(node, ["op", "field", ...BOUNDS], at);
  const field = fieldOf(node.get("field"), `${at}.field`);
  const type = TYPES[field];
  if (type === "text")
    throw invalidArgument(
      `${at}.field`,
      `must be a number or time field for ${op}: level, active_count, created_at or updated_at`,
    );
  if (op === "time_range" && type !== "time")
    throw invalidArgument(`${at}.field`, "must be a time field for time_range: created_at or updated_at");
  const bounds: Partial<Record<Bound, number>> = {};
  for (const bound of BOUNDS) {
    if (node.has(bound))
      bounds[bound] = (type === "time" ? checkedTime : checkedNumber)(node.get(bound), `${at}.${bound}`);
  }
  if (Object.keys(bounds).length === 0)
    throw invalidArgument(at, `must have at least one of ${BOUNDS.join(", ")}`);
  return { kind: "range", field, bounds };
}

function only(node: Map<string, unknown>, keys: readonly string[], at: string): void {
  for (const key of node.keys())
    if (!keys.includes(key)) throw invalidArgument(`${at}.${key.slice(0, 100)}`, "is an unknown key");
}

function list(value: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidArgument(at, "must be an array");
  return value;
}

function fieldOf(name: unknown, at: string): Field {
  if (!isField(name))
    throw invalidArgument(at.slice(0, 200), `must be one of ${Object.keys(TYPES).join(", ")}`);
  return name;
}

const isField = (name: unknown): name is Field => typeof name === "string" && Object.hasOwn(TYPES, name);

function checkedText(value: unknown, at: string): string {
  if (typeof value !== "string") throw invalidArgument(at, "must be a string");
  if (Buffer.byteLength(value) > MAX_FILTER_STRING_BYTES)
    throw invalidArgument(at, `must have at most ${MAX_FILTER_STRING_BYTES} bytes`);
  return value.normalize("NFC");
}

const checkedTag = (value: unknown, at: string): string => tagForm(checkedText(value, at));

function checkedNumber(value: unknown, at: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw invalidArgument(at, "must be a number");
  return value;
}

function checkedTime(value: unknown, at: string): number {
  const time = typeof value === "string" ? isoTime(value) : undefined;
  if (time === undefined)
    throw invalidArgument(at, "must be a time in ISO 8601, such as 2026-11-20T00:00:00Z");
  return time;
}
