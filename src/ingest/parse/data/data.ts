import { itemAt, present } from "../../../base/expect.ts";
import type { Decoded } from "../../../domain/text/decode.ts";
import { firstSentence } from "../code/doc-comment.ts";
import { headComment } from "../code/head-comment.ts";
import type { Parsed } from "../parsed.ts";
import { describeColumns } from "./csv.ts";
import { describeData, describeManifest } from "./describe-data.ts";

/** Maximum length; a larger file is stored and split as text, without its structure. */
const MAX_JSON_LENGTH = 16 * 1024 * 1024;
const MAX_KEY_LINES_LENGTH = 256 * 1024;
const MAX_KEYS = 60;
const MAX_DEPTH = 2;
const MAX_VALUE_LENGTH = 160;

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

export const dataMime = (extension: string): string | undefined =>
  Object.hasOwn(MIMES, extension) ? MIMES[extension] : undefined;

/**
 * Structured data, unchanged, with its upper keys as `outline`. Malformed data is stored as text, with a
 * warning.
 */
export async function parseData(stem: string, extension: string, source: Decoded): Promise<Parsed> {
  const { text, encoding } = source;
  const parsed: Parsed = {
    kind: "data",
    mime: present(dataMime(extension), `data format ${extension}`),
    encoding,
    title: stem,
    text,
    outline: "",
    warnings: [],
  };
  if (text.trim() === "") return parsed;
  const lines: string[] = [];
  const { fault, value } = await readStructure(extension, text, lines);
  if (fault !== undefined) return { ...parsed, warnings: [fault] };
  const file = `${stem}.${extension}`;
  const description =
    describeData(file, value) ||
    describeManifest(file, text) ||
    descriptionIn(lines) ||
    (COMMENTED.test(extension) ? firstSentence(headComment(text)) : "");
  return {
    ...parsed,
    outline: lines.slice(0, MAX_KEYS).join("\n"),
    ...(description !== "" && { description }),
  };
}

/** Formats with comments, whose first may describe the file. */
const COMMENTED = /^(?:ya?ml|toml|ini|cfg|conf|properties|xml)$/;

interface Structure {
  /** Why the structure could not be read. */
  readonly fault?: string | undefined;
  /** The content of JSON and YAML. */
  readonly value?: unknown;
}

/** Fills `lines`. */
async function readStructure(extension: string, text: string, lines: string[]): Promise<Structure> {
  switch (extension) {
    case "json":
    case "geojson":
    case "ipynb":
      return readJson(text, lines);
    case "jsonl":
    case "ndjson": {
      const end = text.indexOf("\n");
      return { fault: readJson(end < 0 ? text : text.slice(0, end), lines).fault };
    }
    case "yaml":
    case "yml":
      return readYaml(text, lines);
    case "csv":
    case "tsv":
      describeColumns(text, lines);
      return {};
    default:
      if (extension !== "xml") readKeyLines(text, lines);
      return {};
  }
}

/** Title and description from common keys, at the top level or in `info` (OpenAPI). */
function descriptionIn(lines: readonly string[]): string {
  const upper = lines.filter((line) => line.startsWith("- "));
  const info = lines.indexOf("- info");
  const next = lines.findIndex((line, i) => i > info && line.startsWith("- "));
  const within =
    info < 0 ? [] : lines.slice(info + 1, next < 0 ? undefined : next).map((line) => line.trimStart());
  for (const key of ["description", "summary", "title"]) {
    const line = [...upper, ...within].find((one) => one.startsWith(`- ${key}: `));
    if (line !== undefined && !line.endsWith("…") && line.split(" ").length > MIN_DESCRIPTION_WORDS)
      return line.slice(key.length + 4);
  }
  return "";
}

/** Minimum words of a description line: a list marker, a key and three words. */
const MIN_DESCRIPTION_WORDS = 4;

function readJson(text: string, lines: string[]): Structure {
  if (text.length > MAX_JSON_LENGTH) return { fault: `above ${MAX_JSON_LENGTH} characters: stored as text` };
  try {
    const value: unknown = JSON.parse(text);
    listKeys(value, 0, lines);
    return { value };
  } catch {
    return { fault: "malformed JSON: stored as text" };
  }
}

async function readYaml(text: string, lines: string[]): Promise<Structure> {
  const { MAX_YAML_LENGTH, yamlSketch } = await import("./yaml.ts");
  if (text.length > MAX_YAML_LENGTH) {
    readKeyLines(text, lines);
    return {};
  }
  try {
    const value = yamlSketch(text);
    listKeys(value, 0, lines);
    return { value };
  } catch {
    return { fault: "malformed or deeply nested YAML: stored as text" };
  }
}

function listKeys(value: unknown, depth: number, lines: string[]): void {
  if (depth > MAX_DEPTH + 1) return;
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
  const shown = Array.isArray(value)
    ? `[${value.length}]`
    : value !== null && typeof value === "object"
      ? ""
      : String(value);
  const cut = shown.length > MAX_VALUE_LENGTH ? `${shown.slice(0, MAX_VALUE_LENGTH - 1)}…` : shown;
  return `${"  ".repeat(depth)}- ${key.slice(0, MAX_VALUE_LENGTH)}${cut === "" ? "" : `: ${cut.replace(/\s+/g, " ")}`}`;
}

/** The beginning of a value that continues on the next lines. */
const OPENS = /^(?:\[|\{|"""|''')$/;

/** Tables and keys of TOML, INI and properties files, and top-level keys of long YAML files. */
function readKeyLines(text: string, lines: string[]): void {
  for (const line of text.slice(0, MAX_KEY_LINES_LENGTH).split("\n")) {
    if (lines.length >= MAX_KEYS) return;
    const table = /^\s{0,8}\[\[?([^[\]\n]{1,100})\]\]?\s*$/.exec(line);
    const pair = /^([\w."'-]{1,80})\s{0,8}[=:]\s{0,8}(.{0,200})/.exec(line);
    if (table) lines.push(`- [${itemAt(table, 1).trim()}]`);
    else if (pair) lines.push(keyLine(0, itemAt(pair, 1), itemAt(pair, 2).trim().replace(OPENS, "")));
  }
}
