import {
  Composer,
  type Document,
  type DocumentOptions,
  isMap,
  isScalar,
  isSeq,
  type Node,
  Parser,
  type SchemaOptions,
} from "yaml";
import { append } from "../../../base/append.ts";

/** Maximum characters: parsing malformed YAML takes quadratic time. */
export const MAX_YAML_LENGTH = 32 * 1024;
/** Errors are not formatted, because that would take most of the time. */
const QUIET = { logLevel: "silent", prettyErrors: false, uniqueKeys: false } as const;
/** Number of parser errors above which a text is not considered YAML. */
const MAX_ERRORS = 100;
/** Maximum depth, because composing YAML is recursive. */
const MAX_NESTING = 100;
const MAX_ITEMS = 100;
const MAX_DEPTH = 4;

/**
 * Parses a YAML text with a single document, and returns it with its errors. Undefined if there are several
 * documents or too many errors. Stack traces are disabled, because malformed text may have an error per
 * character.
 */
export function yamlDocument(
  text: string,
  options: DocumentOptions & SchemaOptions = {},
): Document.Parsed | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const composer = new Composer({ ...QUIET, ...options });
    const documents: Document.Parsed[] = [];
    let errors = 0;
    for (const token of new Parser().parse(text)) {
      if (token.type === "error") errors++;
      append(documents, composer.next(token));
      if (errors > MAX_ERRORS || documents.length > 1) return undefined;
    }
    append(documents, composer.end(true, text.length));
    return documents.length === 1 ? documents[0] : undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * The upper levels of a YAML text's first document as plain values; lists are reduced to their length and
 * first item. Reads from the syntax tree: aliases are not followed and tags have no effect. Throws if the
 * text is malformed or deeply nested.
 */
export function yamlSketch(text: string): unknown {
  if (isDeep(text)) throw new RangeError("deeply nested");
  const first = text.split(/^---(?:\s|$)/m, 3).find((part) => part.trim() !== "") ?? "";
  const document = yamlDocument(first);
  if (!document || document.errors.length > 0) throw new SyntaxError("malformed YAML");
  return sketch(document.contents, 0);
}

/** Title and description from a front matter; "" if missing or malformed. */
export interface PageFrontMatter {
  readonly title: string;
  readonly description: string;
}

const DESCRIPTIONS = ["description", "summary", "abstract", "excerpt", "subtitle"] as const;
const PAGE_KEYS: ReadonlySet<string> = new Set(["title", ...DESCRIPTIONS]);

export function readPageFrontMatter(text: string): PageFrontMatter {
  const isParsed = text.length <= MAX_YAML_LENGTH / 2 && !isDeep(text);
  const block = isParsed ? withFewMarks(text, PAGE_KEYS) : undefined;
  if (block === undefined) return { title: "", description: "" };
  try {
    const document = yamlDocument(block);
    const textAt = (name: string): string => {
      const value = document?.get(name);
      return typeof value === "string" ? value : "";
    };
    return {
      title: textAt("title"),
      description: DESCRIPTIONS.map(textAt).find((value) => value.trim() !== "") ?? "",
    };
  } catch {
    return { title: "", description: "" };
  }
}

/**
 * Maximum number of lines and characters with a special meaning in front matter: each of them takes the parser
 * up to 20 µs, which cannot yield.
 */
export const MAX_MARKS = 1000;
const MARKS = /[[\]{},:?&*!|>'"#%@`\n-]/g;

/**
 * Front matter that is parsed in a few milliseconds: the block, or only the entries with the given keys in a
 * block with too many marks. Undefined if these have too many, too.
 */
export function withFewMarks(block: string, keys: ReadonlySet<string>): string | undefined {
  if (hasFewMarks(block)) return block;
  const entries = entriesOf(block, keys);
  return hasFewMarks(entries) ? entries : undefined;
}

function hasFewMarks(text: string): boolean {
  let marks = 0;
  for (const _ of text.matchAll(MARKS)) if (++marks > MAX_MARKS) return false;
  return true;
}

/** The top-level entries of a block map with these keys, each with the lines that belong to it. */
function entriesOf(block: string, keys: ReadonlySet<string>): string {
  let isKept = false;
  return block
    .split("\n")
    .filter((line) => {
      const key = /^(["']?)([\w-]{1,40})\1[ \t]{0,8}:(?=\s|$)/.exec(line)?.[2];
      if (key !== undefined) isKept = keys.has(key);
      return isKept;
    })
    .join("\n");
}

/** Whether a text is nested more deeply than any legitimate file. */
export function isDeep(text: string): boolean {
  let open = 0;
  let run = 0;
  for (const symbol of text) {
    if (symbol === "[" || symbol === "{") open++;
    else if (symbol === "]" || symbol === "}") open = Math.max(0, open - 1);
    run = symbol === " " || symbol === "-" || symbol === "?" || symbol === ":" ? run + 1 : 0;
    if (open > MAX_NESTING || run > MAX_NESTING * 2) return true;
  }
  return false;
}

function sketch(node: Node | null | undefined, depth: number): unknown {
  if (isScalar(node)) return node.value ?? "";
  if (depth > MAX_DEPTH) return {};
  if (isSeq(node)) {
    const items: unknown[] = new Array(node.items.length);
    items[0] = sketch(node.items[0] as Node, depth + 1);
    return node.items.length === 0 ? [] : items;
  }
  if (!isMap(node)) return "";
  const entries = node.items.slice(0, MAX_ITEMS).filter(({ key }) => isScalar(key));
  return Object.fromEntries(
    entries.map(({ key, value }) => [String(isScalar(key) && key.value), sketch(value as Node, depth + 1)]),
  );
}
