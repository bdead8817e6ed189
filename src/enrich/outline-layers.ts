import { named } from "../domain/text/names.ts";
import { type LayerSource, type Layers, MAX_ABSTRACT_WORDS, MAX_FILE_OVERVIEW_LENGTH } from "./layers.ts";
import { trimmed, wordCount } from "./lead-sentence.ts";
import { capitalized, sentence } from "./sentence.ts";
import { normalised, shorten } from "./shorten.ts";
import { withoutInlineMarks } from "./text-blocks.ts";

const MAX_NAMES = 8;
const MAX_KEY_LENGTH = 40;
const MAX_SETTINGS_LENGTH = 16 * 1024;
const MAX_FIRST_WORDS_LENGTH = 1000;

/**
 * Layers of data and binary files: the author's description, otherwise the content according to the
 * outline.
 */
export function outlineLayers(source: LayerSource, name: string, title: string): Layers {
  const heading = name === "" ? title : name;
  const described = withoutInlineMarks(source.description ?? "");
  const content =
    wordCount(described) >= MIN_DESCRIPTION_WORDS
      ? described
      : contentOf(source, name) || trimmed(firstWords(source), MAX_ABSTRACT_WORDS - 1);
  const said = trimmed(content, MAX_ABSTRACT_WORDS - 1);
  const abstract =
    said === "" || normalised(said) === normalised(heading) ? heading : sentence(`${heading}: ${said}`);
  const second = normalised(heading).includes(normalised(title).trimEnd()) ? "" : title;
  const told = source.kind === "data" && said !== "" ? ended(capitalized(content)) : "";
  const parts = [`# ${heading}`, second, told, bodyOf(source, name)];
  return { abstract, overview: fittedLines(parts.filter((part) => part.trim() !== "").join("\n\n")) };
}

const MIN_DESCRIPTION_WORDS = 3;
const ended = (text: string): string => (/[.!?。]$/.test(text) ? text : `${text}.`);

const MANIFEST = /^(?:package|bower|composer)\.json$|^(?:Cargo|pyproject)\.toml$/;
/** Manifest fields that do not describe the package; nested fields are left out too. */
const MINOR_FIELD =
  /^- (?:name|description|sideEffects|files|funding|packageManager|publishConfig|bugs|auto\w+|build|authors?|contributors|maintainers|license|readme|documentation|homepage|repository|keywords|categories|edition|rust-version|resolver|exports|types|typings|typesVersions|module|unpkg|jsdelivr|volta|gitHead|_\w+)(?::|$)/;
const MAX_SETTING_LINES = 12;

/** The outline; of a configuration in an unknown format its first lines. */
function bodyOf(source: LayerSource, file: string): string {
  if (source.outline === "")
    return source.kind === "data" && settingsIn(source.text) !== ""
      ? settingLines(source.text)
      : shorten(firstWords(source), MAX_FIRST_WORDS_LENGTH);
  // the size of a table is in the sentence above
  if (!MANIFEST.test(file)) return source.outline.replace(/^[\d,]+ rows?, \d+ columns\n/, "");
  const kept: string[] = [];
  let isMinor = false;
  for (const line of source.outline.split("\n")) {
    if (!line.startsWith(" ")) isMinor = MINOR_FIELD.test(line);
    if (!isMinor) kept.push(line);
  }
  return kept.join("\n");
}

const settingLines = (text: string): string =>
  text
    .slice(0, MAX_SETTINGS_LENGTH)
    .split("\n")
    .filter((line) => /^[A-Za-z]/.test(line))
    .slice(0, MAX_SETTING_LINES)
    .map((line) => `- ${shorten(line.replace(/[{[\s]{1,80}$/, ""), 120)}`)
    .join("\n");

/** A phrase about the content, from its outline: records, tables, sections and keys. */
function contentOf(source: LayerSource, file: string): string {
  const lines = source.outline.split("\n").filter((line) => line !== "");
  const upper = lines.filter((line) => !line.startsWith(" "));
  if (upper.length === 0) return source.kind === "data" ? settingsIn(source.text) : "";
  if (source.kind !== "data") return upper.join("; ");
  const [shape = ""] = upper[0]?.startsWith("- ") ? [""] : upper;
  const count = /^\[(\d+)\]$/.exec(shape)?.[1];
  // the keys of a list's first item are nested below it
  if (count !== undefined) return records(Number(count), keysIn(lines, "  - "));
  const keys = keysIn(lines, "- ");
  if (/\.(?:jsonl|ndjson)$/.test(file)) return withNames("records", "the fields", keys);
  if (shape !== "") return withNames(`table of ${shape.replace(/, \d+ columns$/, "")}`, "the columns", keys);
  const sections = keys.filter((key) => key.startsWith("[")).map((key) => key.slice(1, -1));
  const rest = keys.filter((key) => !key.startsWith("["));
  if (sections.length > 0)
    return `settings of ${named(sections, MAX_NAMES)}${rest.length > 0 ? `: ${named(rest, MAX_NAMES)}` : ""}`;
  const title = titleIn(lines);
  return withNames(title || "data", rest.length === 1 ? "the key" : "the keys", rest);
}

const records = (count: number, fields: readonly string[]): string =>
  withNames(
    `${count.toLocaleString("en-US")} ${fields.length > 0 ? "record" : "item"}${count === 1 ? "" : "s"}`,
    "the fields",
    fields,
  );

const withNames = (head: string, what: string, names: readonly string[]): string =>
  names.length === 0
    ? head
    : `${head} with ${names.length === 1 ? what.replace(/s$/, "") : what} ${named(names, MAX_NAMES)}`;

const keysIn = (lines: readonly string[], mark: string): string[] =>
  lines
    .filter((line) => line.startsWith(mark))
    .map((line) =>
      shorten(
        line
          .slice(mark.length)
          .replace(/:(?:\s.*)?$/, "")
          .trim(),
        MAX_KEY_LENGTH,
      ),
    );

/** The name that a data file gives itself. */
const titleIn = (lines: readonly string[]): string => {
  const line = lines.find((one) => /^- (?:title|name|displayName|label): (?!\[)\S/.test(one)) ?? "";
  const title = line.replace(/^- \w+: /, "").replace(/^["']|["']$/g, "");
  return /\p{L}/u.test(title) && !title.endsWith("…") ? title : "";
};

/** The first words of unindented lines of a configuration file in an unknown format. */
function settingsIn(text: string): string {
  const words = [...text.slice(0, MAX_SETTINGS_LENGTH).matchAll(SETTING)].map(([, word]) => word ?? "");
  return words.length === 0 ? "" : `settings of ${named(words, MAX_NAMES)}`;
}

const SETTING = /^([A-Za-z][\w.-]{1,40}(?:"[^"\n]{1,40}")?)(?=[ \t={[(<:]|$)/gm;

/** The beginning of a text without markup. */
function firstWords({ text }: LayerSource): string {
  return text
    .slice(0, 4000)
    .replace(/[#*_`|<>=~]+|-{2,}|\.{4,}/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Truncates text that is too long, at the end of a line. */
export function fittedLines(text: string): string {
  if (text.length <= MAX_FILE_OVERVIEW_LENGTH) return text;
  const lines = text.split("\n");
  let kept = 0;
  for (
    let length = 24;
    kept < lines.length && length + (lines[kept]?.length ?? 0) < MAX_FILE_OVERVIEW_LENGTH;
    kept++
  )
    length += (lines[kept]?.length ?? 0) + 1;
  return kept <= 2
    ? shorten(text, MAX_FILE_OVERVIEW_LENGTH)
    : [
        ...lines.slice(0, kept),
        `and ${lines.length - kept} more line${lines.length - kept === 1 ? "" : "s"}`,
      ].join("\n");
}
