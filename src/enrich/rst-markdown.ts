import { itemAt } from "../base/expect.ts";

/** Directives that describe an object; only their bodies are text. */
const OBJECT_DIRECTIVE =
  /^(?:[a-z]+:)?(?:module|currentmodule|class|function|method|classmethod|staticmethod|attribute|data|exception|describe|option|envvar|command|type|macro|member|struct|enum|program)$/;
const DIRECTIVE = /^\.\.[ \t]+(?:\|[^|\n]{1,100}\|[ \t]+)?([\w:.+-]{1,60}?)::(?:[ \t]|$)/;
const REPLACEMENT = /^\.\.[ \t]+\|([^|\n]{1,100})\|[ \t]+replace::[ \t]*([^\n]{0,300})/;
const COMMENT = /^\.\.(?:[ \t]|$)/;
const FIELD = /^:[^:\n`]{1,60}:(?:[ \t]|$)/;
const ADORNMENT = /^([=\-`:.'"~^_*+#<>!$%&,;?@])\1{2,}[ \t]*$/;
const SIMPLE_TABLE = /^[=-]{2,}(?:[ \t]+[=-]{2,})+[ \t]*$/;
const LITERAL_ALONE = /(?:^|[ \t])::[ \t]*$/;
const PROMPT = /^>>>(?:[ \t]|$)/;

/** Whether a plain text is reStructuredText: by its extension, a directive or a target. */
export const isRst = (text: string, name: string): boolean =>
  /\.re?st$/i.test(name) || /^\.\. (?:[a-z][\w:-]{1,40}::|_[^:\n]{1,100}:|\|[^|\n]{1,100}\| )/m.test(text);

/**
 * Converts reStructuredText to Markdown with headings, paragraphs and lists; drops directives, code, tables,
 * fields, comments and targets. Linear in the length of the text.
 */
export function rstAsMarkdown(text: string): string {
  const lines = text.replace(LINK_OVER_LINES, (_, words: string) => words.trimEnd()).split(/\r?\n/);
  const replacements = replacementsIn(lines);
  const levels: string[] = [];
  const made: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const heading = headingAt(lines, at);
    const skipped = heading === undefined ? skippedEnd(lines, at) : at;
    if (heading !== undefined) {
      if (!levels.includes(heading.style)) levels.push(heading.style);
      const level = Math.min(6, levels.indexOf(heading.style) + 1);
      made.push("", `${"#".repeat(level)} ${plainInline(heading.title, replacements)}`, "");
      at = heading.end;
    } else if (skipped > at) {
      made.push("");
      at = skipped;
    } else {
      const line = itemAt(lines, at).trimEnd();
      const isLiteral = line.endsWith("::");
      const plain = isLiteral ? line.replace(LITERAL_ALONE, "").replace(/::$/, ":") : line;
      made.push(plainInline(withoutIndent(plain), replacements));
      at = isLiteral ? indentedEnd(lines, at + 1, indentOf(line)) : at + 1;
      if (isLiteral) made.push("");
    }
  }
  return made.join("\n");
}

/**
 * The line after non-text (directives, comments, tables, fields, examples, rules); `at` if text starts there.
 */
function skippedEnd(lines: readonly string[], at: number): number {
  const line = itemAt(lines, at);
  const body = line.trim();
  if (COMMENT.test(body)) {
    const isObject = OBJECT_DIRECTIVE.test(DIRECTIVE.exec(body)?.[1] ?? "");
    return isObject ? optionsEnd(lines, at + 1) : indentedEnd(lines, at + 1, indentOf(line));
  }
  if (SIMPLE_TABLE.test(body)) return tableEnd(lines, at + 1);
  if (PROMPT.test(body)) return blankLine(lines, at + 1);
  if (FIELD.test(body)) return indentedEnd(lines, at + 1, indentOf(line));
  return ADORNMENT.test(body) ? at + 1 : at;
}

/** Removes the indentation of a quoted or nested paragraph, which Markdown would treat as code. */
const withoutIndent = (line: string): string => line.trimStart().replace(/^\|[ \t]+(?=[^|]*$)/, "");

function replacementsIn(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of lines) {
    const [, name, words] = REPLACEMENT.exec(line) ?? [];
    if (name !== undefined) found.set(name, words ?? "");
  }
  return found;
}

/** A title with a line of punctuation at least as long below it, or above and below. */
function headingAt(lines: readonly string[], at: number) {
  const [first, second, third] = [lines[at] ?? "", lines[at + 1] ?? "", lines[at + 2] ?? ""];
  const over = ADORNMENT.exec(first)?.[1];
  const isOver = over !== undefined && ADORNMENT.exec(third)?.[1] === over;
  const [title, under] = isOver ? [second.trim(), third] : [first.trimEnd(), second];
  const mark = ADORNMENT.exec(under)?.[1];
  if (mark === undefined || title === "" || /^\s/.test(title) || !/[\p{L}\p{N}]/u.test(title))
    return undefined;
  if (under.trimEnd().length < Math.min(title.length, 4)) return undefined;
  return { title, style: isOver ? `${mark}${mark}` : mark, end: at + (isOver ? 3 : 2) };
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The line after those indented deeper than a directive or paragraph, including blank lines. */
function indentedEnd(lines: readonly string[], from: number, indent: number): number {
  let [at, end] = [from, from];
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    if (indentOf(line) <= indent) break;
    end = at + 1;
  }
  return end;
}

/** The line after the fields of a directive. */
function optionsEnd(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && /^\s+:[\w-]{1,40}:/.test(lines[at] ?? "")) at++;
  return at;
}

function blankLine(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && (lines[at] ?? "").trim() !== "") at++;
  return at;
}

const MAX_TABLE_LINES = 200;

/** A simple table ends with a border that is followed by a blank line. */
function tableEnd(lines: readonly string[], from: number): number {
  for (let at = from; at < Math.min(lines.length, from + MAX_TABLE_LINES); at++)
    if (SIMPLE_TABLE.test((lines[at] ?? "").trim()) && (lines[at + 1] ?? "").trim() === "") return at + 1;
  return from;
}

const ROLE = /:[a-zA-Z][\w:+-]{0,40}:`[~!]?([^`<]{1,200})(?:<[^<>`]{1,500}>)?`/g;
const NAMED_LINK = /`([^`<]{1,300})<[^<>`]{1,500}>`_{0,2}/g;
/** A named link that spans lines, because lines are processed separately. */
const LINK_OVER_LINES = /(?<!`)`([^`<]{1,300})<[^<>`\s]{1,500}>`_{1,2}/g;
const REFERENCE = /(?<![`\w])`([^`]{1,300})`_{0,2}(?!`)/g;
const WORD_REFERENCE = /(?<![\w`])([\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,60}[\p{L}\p{N}])?)__?(?![\w`])/gu;
const LITERAL = /``([^`\n]{1,500})``/g;
const CODE_MARK = "\ue000";

/** A line without roles, references and substitutions; literals become Markdown code. */
function plainInline(line: string, replacements: ReadonlyMap<string, string>): string {
  if (!/[`_|\\[]/.test(line)) return line;
  const code: string[] = [];
  let at = 0;
  return line
    .replaceAll(CODE_MARK, "")
    .replace(LITERAL, (_, literal: string) => {
      code.push(literal);
      return CODE_MARK;
    })
    .replace(/\|([^|\s](?:[^|\n]{0,100}[^|\s])?)\|_{0,2}/g, (_, name: string) => replacements.get(name) ?? "")
    .replace(ROLE, (_, words: string) => words.trimEnd())
    .replace(NAMED_LINK, (_, words: string) => words.trimEnd())
    .replace(REFERENCE, "$1")
    .replace(WORD_REFERENCE, "$1")
    .replace(/[ \t]?\[(?:#?[\w-]{0,40}|\*)\]_/g, "")
    .replace(/\\ /g, "")
    .replaceAll(CODE_MARK, () => `\`${code[at++] ?? ""}\``);
}
