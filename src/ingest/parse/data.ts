import type { Node } from "yaml";
import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Decoded } from "../../domain/decode.ts";
import type { Parsed } from "./parsed.ts";

/** A larger file is stored and cut as text, without a look at its structure. */
const MAX_JSON_LENGTH = 16 * 1024 * 1024;
/** Malformed YAML costs its parser time that grows with the square of the length. */
const MAX_YAML_LENGTH = 32 * 1024;
const MAX_KEY_LINES_LENGTH = 256 * 1024;
/** Deeper YAML is not composed: its parser recurses. */
const MAX_YAML_NESTING = 100;
const MAX_KEYS = 60;
const MAX_DEPTH = 2;
const MAX_VALUE_LENGTH = 80;

const MIMES: Readonly<Record<string, string>> = {
  json: "application/json",
  jsonc: "application/json",
  json5: "application/json",
  geojson: "application/geo+json",
  ipynb: "application/x-ipynb+json",
  jsonl: "application/jsonl",
  ndjson: "application/jsonl",
  yaml: "application/yaml",
  yml: "application/yaml",
  toml: "application/toml",
  ini: "text/plain",
  cfg: "text/plain",
  conf: "text/plain",
  properties: "text/plain",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  xml: "application/xml",
};

export const dataMime = (extension: string): string | undefined => (Object.hasOwn(MIMES, extension) ? MIMES[extension] : undefined);

/** Structured data as it is, with its upper keys as `outline`. What cannot be read as its format is still text, with a warning. */
export function parseData(stem: string, extension: string, source: Decoded): Parsed {
  const { text, encoding } = source;
  const parsed: Parsed = { kind: "data", mime: dataMime(extension)!, encoding, title: stem, text, outline: "", warnings: [] };
  if (text.trim() === "") return parsed;
  const lines: string[] = [];
  const fault = readStructure(extension, text, lines);
  return fault ? { ...parsed, warnings: [fault] } : { ...parsed, outline: lines.slice(0, MAX_KEYS).join("\n") };
}

/** Fills `lines`; answers why it could not. */
function readStructure(extension: string, text: string, lines: string[]): string | undefined {
  switch (extension) {
    case "json":
    case "geojson":
    case "ipynb":
      return readJson(text, lines);
    case "jsonl":
    case "ndjson":
      return readJson(text.slice(0, text.indexOf("\n") < 0 ? undefined : text.indexOf("\n")), lines);
    case "yaml":
    case "yml":
      return readYaml(text, lines);
    case "csv":
    case "tsv":
      lines.push(text.slice(0, 1000).split(/\r?\n/, 1)[0]!);
      return undefined;
    default:
      if (extension !== "xml") readKeyLines(text, lines);
      return undefined;
  }
}

function readJson(text: string, lines: string[]): string | undefined {
  if (text.length > MAX_JSON_LENGTH) return `above ${MAX_JSON_LENGTH} characters: stored as text`;
  try {
    listKeys(JSON.parse(text), 0, lines);
    return undefined;
  } catch {
    return "malformed JSON: stored as text";
  }
}

function listKeys(value: unknown, depth: number, lines: string[]): void {
  if (Array.isArray(value)) {
    if (depth === 0) lines.push(`[${value.length}]`);
    if (typeof value[0] === "object") listKeys(value[0], depth + 1, lines);
    return;
  }
  if (value === null || typeof value !== "object") return;
  for (const [key, inner] of Object.entries(value)) {
    if (lines.length >= MAX_KEYS) return;
    lines.push(keyLine(depth, key, inner));
    if (depth < MAX_DEPTH) listKeys(inner, depth + 1, lines);
  }
}

function keyLine(depth: number, key: string, value: unknown): string {
  const shown = Array.isArray(value) ? `[${value.length}]` : value !== null && typeof value === "object" ? "" : String(value);
  const cut = shown.length > MAX_VALUE_LENGTH ? `${shown.slice(0, MAX_VALUE_LENGTH - 1)}…` : shown;
  return `${"  ".repeat(depth)}- ${key.slice(0, MAX_VALUE_LENGTH)}${cut === "" ? "" : `: ${cut.replace(/\s+/g, " ")}`}`;
}

/** Reads the syntax tree only: aliases are never followed and tags never run. */
function readYaml(text: string, lines: string[]): string | undefined {
  if (text.length > MAX_YAML_LENGTH) {
    readKeyLines(text, lines);
    return undefined;
  }
  if (isDeep(text)) return "deeply nested YAML: stored as text";
  try {
    const first = text.split(/^---(?:\s|$)/m, 3).find((part) => part.trim() !== "") ?? "";
    const document = parseDocument(first, { logLevel: "silent", uniqueKeys: false });
    if (document.errors.length > 0) return "malformed YAML: stored as text";
    if (document.contents) listNodes(document.contents, 0, lines);
    return undefined;
  } catch {
    return "malformed YAML: stored as text";
  }
}

/** Whether brackets or the dashes and indents of one line open more levels than any honest file has. */
function isDeep(text: string): boolean {
  let open = 0;
  let run = 0;
  for (let i = 0; i < text.length; i++) {
    const symbol = text[i]!;
    if (symbol === "[" || symbol === "{") open++;
    else if (symbol === "]" || symbol === "}") open = Math.max(0, open - 1);
    if (symbol === " " || symbol === "-" || symbol === "?" || symbol === ":") run++;
    else run = 0;
    if (open > MAX_YAML_NESTING || run > MAX_YAML_NESTING * 2) return true;
  }
  return false;
}

function listNodes(node: Node, depth: number, lines: string[]): void {
  if (isSeq(node)) {
    if (depth === 0) lines.push(`[${node.items.length}]`);
    const first = node.items[0];
    if (isMap(first)) listNodes(first, depth + 1, lines);
  }
  if (!isMap(node)) return;
  for (const { key, value } of node.items) {
    if (lines.length >= MAX_KEYS) return;
    if (!isScalar(key)) continue;
    const shown = isScalar(value) ? value.value : isSeq(value) ? value.items : value === null ? "" : {};
    lines.push(keyLine(depth, String(key.value), shown));
    if (depth < MAX_DEPTH && (isMap(value) || isSeq(value))) listNodes(value, depth + 1, lines);
  }
}

/** Tables and keys of TOML, INI and properties files, top keys of long YAML. */
function readKeyLines(text: string, lines: string[]): void {
  for (const line of text.slice(0, MAX_KEY_LINES_LENGTH).split("\n")) {
    if (lines.length >= MAX_KEYS) return;
    const table = /^\s{0,8}\[\[?([^[\]\n]{1,100})\]\]?\s*$/.exec(line);
    const pair = /^([\w."'-]{1,80})\s{0,8}[=:]\s{0,8}(.{0,200})/.exec(line);
    if (table) lines.push(`- [${table[1]!.trim()}]`);
    else if (pair) lines.push(keyLine(0, pair[1]!, pair[2]!.trim()));
  }
}
