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

export function readPageFrontMatter(text: string): PageFrontMatter {
  if (text.length > MAX_YAML_LENGTH / 2 || isDeep(text)) return { title: "", description: "" };
  try {
    const document = yamlDocument(text);
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
