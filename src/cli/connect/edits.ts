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

/** A change of a configuration file that can be made, found and undone. */
export type Edit = JsonEdit | TomlEdit;

type JsonPath = readonly string[];

/** Values and elements of lists in a JSON file, which may have comments. */
export interface JsonEdit {
  readonly kind: "json";
  readonly file: string;
  readonly values: readonly JsonValue[];
  readonly items: readonly { readonly path: JsonPath; readonly item: unknown; readonly isOurs: IsOurs }[];
}

export interface JsonValue {
  readonly path: JsonPath;
  readonly value: unknown;
  /** Tells a value that may be replaced; any may by default. */
  readonly isOurs?: IsOurs;
}

/** Tells an element that an earlier version wrote. */
export type IsOurs = (item: unknown) => boolean;

/** A marked block in a TOML file. */
export interface TomlEdit {
  readonly kind: "toml";
  readonly file: string;
  /** The table that the block defines: no other one may have its name. */
  readonly table: string;
  /** The key before all tables that the block defines, at the start of the file; without it the block is at the end. */
  readonly key?: string;
  readonly lines: readonly string[];
}

const BEGIN = "# ctxdb: begin, written by `ctxdb connect` and taken back by its --undo";
const END = "# ctxdb: end";
const BLOCK = /\n?# ctxdb: begin[^\n]*\n[\s\S]*?\n# ctxdb: end\n?/;
/** Limit of white space before a bracket, in characters. */
const MAX_GAP = 1000;
const PARSING = { allowTrailingComma: true, disallowComments: false };

/** The file with the change, or unchanged if it has it already. LocalError if it cannot be read. */
export const withEdit = (edit: Edit, before: string | undefined): string =>
  edit.kind === "json" ? withJson(edit, before ?? "") : withToml(edit, before ?? "");

/** The file without the change; undefined if nothing of use remains. */
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
    // a new list is added as a whole: an element alone would have no place
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

/** Removes what became empty, from the inside out. */
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
  // as a plain object: the parser's objects have no prototype
  return node === undefined ? undefined : JSON.parse(JSON.stringify(getNodeValue(node)));
}

/** Sets or removes a value. The rest of the file keeps its form, comments and white space. */
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

/** The text of an edit on separate lines, indented like the file. */
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
  // without the outer brackets and their line breaks
  const lines = indented(JSON.parse(isItem ? `[${inner}]` : `{${inner}}`), depth)
    .slice(1 + eol.length, -1)
    .trimEnd();
  const isLast = /^[ \t]*[}\]]/.test(text.slice(offset, offset + MAX_GAP));
  const tail = content.length > comma.length + inner.length ? "," : "";
  return `${comma}${eol}${lines}${tail}${isLast ? eol + unit.repeat(depth) : ""}`;
}

/** Depth of the innermost object or list on the path that exists. */
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
  // keys behind a table would belong to it
  if (key !== undefined) return block + before.replace(BLOCK, "");
  return rest === "" ? block : `${rest}\n\n${block}`;
}
