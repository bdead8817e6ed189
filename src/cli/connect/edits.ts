import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type ParseError,
  parse,
  parseTree,
  type Edit as TextEdit,
} from "jsonc-parser";
import { LocalError } from "../cli-errors.ts";

/** A change of a configuration file that can be applied, detected and undone. */
export type Edit = JsonEdit | TomlEdit;

type JsonPath = readonly string[];

/** Sets values and adds list elements in a JSON file, which may contain comments. */
export interface JsonEdit {
  readonly kind: "json";
  readonly file: string;
  readonly values: readonly JsonValue[];
  readonly items: readonly { readonly path: JsonPath; readonly item: unknown; readonly isOurs: IsOurs }[];
}

export interface JsonValue {
  readonly path: JsonPath;
  readonly value: unknown;
  /** Whether an existing value may be replaced; by default every value may. */
  readonly isOurs?: IsOurs;
}

/** Recognizes a value that ctxdb wrote, possibly in an earlier version. */
export type IsOurs = (item: unknown) => boolean;

/** A marked block in a TOML file. */
export interface TomlEdit {
  readonly kind: "toml";
  readonly file: string;
  /** Table defined by the block; the file must not contain another table of this name. */
  readonly table: string;
  /**
   * Top-level key defined by the block, which then goes to the start of the file, before all tables. If
   * absent, the block goes to the end.
   */
  readonly key?: string;
  readonly lines: readonly string[];
}

const BEGIN = "# ctxdb: begin, written by `ctxdb connect` and taken back by its --undo";
const END = "# ctxdb: end";
const BLOCK = /\n?# ctxdb: begin[^\n]*\n[\s\S]*?\n# ctxdb: end\n?/;
/** Maximum white space before a bracket, in characters. */
const MAX_GAP = 1000;
const PARSING = { allowTrailingComma: true, disallowComments: false };

/**
 * Returns the file with the change applied; unchanged if it is already there. Throws LocalError if the file
 * is malformed.
 */
export const withEdit = (edit: Edit, before: string | undefined): string =>
  edit.kind === "json" ? withJson(edit, before ?? "") : withToml(edit, before ?? "");

/** Returns the file without the change; undefined if nothing else remains. */
export const withoutEdit = (edit: Edit, before: string): string =>
  edit.kind === "json"
    ? withoutJson(edit, before)
    : before.replace(BLOCK, (block) => (block.startsWith("\n") ? "\n" : ""));

export const hasEdit = (edit: Edit, text: string | undefined): boolean =>
  text !== undefined && withEdit(edit, text) === text;

function withJson({ file, values, items }: JsonEdit, before: string): string {
  let text = before.trim() === "" ? "{}\n" : before;
  checkJson(file, text);
  for (const { path, value, isOurs } of values) {
    const present = valueAt(text, path);
    if (isDeepStrictEqual(present, value)) continue;
    if (present !== undefined && isOurs?.(present) === false)
      throw new LocalError(`${file} already has ${path.join(".")}: remove it first`);
    text = changed(file, text, path, value);
  }
  for (const { path, item, isOurs } of items) {
    const list = valueAt(text, path) ?? [];
    if (!Array.isArray(list)) throw new LocalError(`${file}: ${path.join(".")} is not a list: fix it first`);
    if (list.some((one) => isDeepStrictEqual(one, item))) continue;
    const at = list.findIndex(isOurs);
    // add a missing list as a whole, because an element needs an existing list
    text =
      list.length === 0
        ? changed(file, text, path, [item])
        : changed(file, text, [...path, at === -1 ? list.length : at], item);
  }
  return text;
}

function withoutJson({ file, values, items }: JsonEdit, before: string): string {
  if (before.trim() === "") return before;
  checkJson(file, before);
  let text = before;
  for (const { path, isOurs } of items) {
    const list = valueAt(text, path);
    if (!Array.isArray(list)) continue;
    for (let at = list.length - 1; at >= 0; at--)
      if (isOurs(list[at])) text = changed(file, text, [...path, at], undefined);
    text = withoutEmpty(file, text, path);
  }
  for (const { path, isOurs } of values) {
    const present = valueAt(text, path);
    if (present === undefined || isOurs?.(present) === false) continue;
    text = withoutEmpty(file, changed(file, text, path, undefined), path.slice(0, -1));
  }
  return text;
}

/** Removes emptied objects and lists, innermost first. */
function withoutEmpty(file: string, before: string, path: JsonPath): string {
  let text = before;
  for (let depth = path.length; depth > 0; depth--) {
    const value = valueAt(text, path.slice(0, depth));
    if (typeof value !== "object" || value === null || Object.keys(value).length > 0) return text;
    text = changed(file, text, path.slice(0, depth), undefined);
  }
  return text;
}

function checkJson(file: string, text: string): void {
  const errors: ParseError[] = [];
  const tree: unknown = parse(text, errors, PARSING);
  if (errors.length > 0 || typeof tree !== "object" || tree === null || Array.isArray(tree))
    throw new LocalError(`${file} is not a JSON object: fix it first`);
}

function valueAt(text: string, path: JsonPath): unknown {
  const root = parseTree(text, [], PARSING);
  const node = root && findNodeAtLocation(root, [...path]);
  // convert to plain objects: the parser's objects have no prototype
  return node === undefined ? undefined : JSON.parse(JSON.stringify(getNodeValue(node)));
}

/** Sets or removes a value; the rest of the file keeps its layout and comments. */
function changed(file: string, text: string, path: readonly (string | number)[], value: unknown): string {
  try {
    const edits = modify(text, [...path], value, {});
    if (value === undefined) return applyEdits(text, edits);
    return applyEdits(
      text,
      edits.map((edit) => ({ ...edit, content: laidOut(text, path, edit) })),
    );
  } catch {
    throw new LocalError(`${file}: ${path.join(".")} is inside a value that is not an object: fix it first`);
  }
}

/** Formats an inserted value on separate lines with the file's indentation. */
function laidOut(
  text: string,
  path: readonly (string | number)[],
  { content, offset, length }: TextEdit,
): string {
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const indented = (value: unknown, depth: number): string =>
    JSON.stringify(value, undefined, unit).replaceAll("\n", eol + unit.repeat(depth));
  if (length > 0) return indented(JSON.parse(content), path.length);
  const depth = depthOf(text, path);
  const comma = content.startsWith(",") ? "," : "";
  const inner = content.slice(comma.length).replace(/,$/, "");
  const isItem = !/^"[^"]*":/.test(inner);
  // drop the outer brackets and their line breaks
  const lines = indented(JSON.parse(isItem ? `[${inner}]` : `{${inner}}`), depth)
    .slice(1 + eol.length, -1)
    .trimEnd();
  const isLast = /^[ \t]*[}\]]/.test(text.slice(offset, offset + MAX_GAP));
  const tail = content.length > comma.length + inner.length ? "," : "";
  return `${comma}${eol}${lines}${tail}${isLast ? eol + unit.repeat(depth) : ""}`;
}

/** Depth of the innermost existing object or list on the path. */
function depthOf(text: string, path: readonly (string | number)[]): number {
  const root = parseTree(text, [], PARSING);
  let depth = path.length - 1;
  while (depth > 0 && !(root && findNodeAtLocation(root, path.slice(0, depth)))) depth--;
  return depth;
}

function withToml({ file, table, key, lines }: TomlEdit, before: string): string {
  const rest = before.replace(BLOCK, "\n").trimEnd();
  const [head = ""] = rest.split(/^\s*\[/m);
  if (key !== undefined && new RegExp(String.raw`^\s*["']?${key}["']?\s*=`, "m").test(head))
    throw new LocalError(`${file} already has ${key}: remove it first`);
  const name = table.replaceAll(".", String.raw`\s*\.\s*`).replace(/(\w+)$/, `["']?$1["']?`);
  if (new RegExp(String.raw`^\s*\[\s*${name}\s*[\].]`, "m").test(rest))
    throw new LocalError(`${file} already has a table [${table}]: remove it first`);
  const block = [BEGIN, ...lines, END, ""].join("\n");
  if (before.includes(block) && before.replace(block, "") !== before) return before;
  // a key after a table header would belong to that table
  if (key !== undefined) return block + before.replace(BLOCK, "");
  return rest === "" ? block : `${rest}\n\n${block}`;
}
