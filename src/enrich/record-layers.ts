import { type LayerSource, type Layers, MAX_ABSTRACT_WORDS } from "./layers.ts";
import { trimmed } from "./lead-sentence.ts";
import { proseLayerSteps } from "./prose-layers.ts";
import { sentence } from "./sentence.ts";
import { shorten } from "./shorten.ts";
import { xmlLayers } from "./xml-layers.ts";

/** Maximum characters that are read. */
const MAX_READ_LENGTH = 64 * 1024;
const MAX_NOTEBOOK_LENGTH = 1024 * 1024;
/** Maximum number of lists, objects and names in a notebook, because it is parsed without a pause. */
const MAX_NOTEBOOK_MARKS = 25_000;
/** Maximum number of lines read to determine the kind of records. */
const MAX_LINES = 400;
const MIN_LINES = 3;
/** Minimum share of lines in the expected format. */
const MOST = 0.7;
const MAX_SPEAKERS = 4;
const MAX_SHOWN_LINES = 12;
const MAX_LINE_LENGTH = 160;

/**
 * Layers of texts that are records rather than prose: mail, logs, conversations, notebooks, feeds. Undefined
 * for any other text. Made in steps. `words`: the words of the file name.
 */
export function* recordLayers(source: LayerSource, words: string): Generator<undefined, Layers | undefined> {
  if (source.kind !== "data" && source.kind !== "text") return undefined;
  const text = source.text.slice(0, MAX_READ_LENGTH);
  if (source.kind === "data") return (yield* notebookLayers(source, words)) ?? xmlLayers(source, text, words);
  return (yield* mailLayers(source, text)) ?? xmlLayers(source, text, words) ?? lineLayers(text, words);
}

const HEADERS = /^(?:[A-Z][A-Za-z-]{1,40}: .{0,2000}\r?\n(?:[ \t].{0,2000}\r?\n){0,20}){2,60}\r?\n/;
const GREETING =
  /^(?:dear|hi|hello|hey|good (?:morning|day|evening)|sehr geehrte|liebe|lieber|hallo|bonjour|cher|chère|madame|monsieur|hola|estimad[oa]s?)(?![\p{L}])[^\n]{0,60}$/imu;

function* mailLayers(source: LayerSource, text: string): Generator<undefined, Layers | undefined> {
  const [headers] = HEADERS.exec(text) ?? [];
  const field = (name: string): string =>
    new RegExp(`^${name}: (.*)$`, "im")
      .exec(headers ?? "")?.[1]
      ?.trim()
      .slice(0, 200) ?? "";
  const subject = field("Subject");
  if (headers === undefined || subject === "" || field("From") === "") return undefined;
  const body = text.slice(headers.length).replace(GREETING, "");
  const mail = { ...source, title: subject, text: body, outline: "" };
  const { abstract, overview } = yield* proseLayerSteps(mail, subject);
  const facts = ["From", "To", "Date"]
    .map((name) => [name, field(name)])
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `- ${name}: ${value}`);
  const [heading = "", ...rest] = overview.split("\n");
  return { abstract, overview: [heading, "", ...facts, ...rest].join("\n") };
}

const TIME = String.raw`\[?(?:\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?|\d{1,2}:\d{2}(?::\d{2})?|[A-Z][a-z]{2} +\d{1,2} \d{2}:\d{2}:\d{2})\]?`;
const TIMED = new RegExp(`^${TIME}\\s`);
const SPOKEN = new RegExp(
  `^(?:${TIME}\\s+)?(?:<([^<>\\s][^<>]{0,40})>|([\\p{Lu}][\\p{L}\\p{M} .'-]{0,30}(?: \\([^()]{1,30}\\))?):)\\s+(.+)$`,
  "u",
);
/**
 * Every line end that `.` does not match: an expression that must reach the end of a line would otherwise be
 * tried again from each of a run of spaces.
 */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;
const SEVERITY = /\b(FATAL|CRITICAL|ERROR|WARN(?:ING)?)\b/;

function lineLayers(text: string, words: string): Layers | undefined {
  const all = text.split(LINE_END).filter((line) => line.trim() !== "");
  const lines = all.slice(0, MAX_LINES);
  if (lines.length < MIN_LINES) return undefined;
  const timed = lines.filter((line) => TIMED.test(line)).length;
  const spoken =
    lines.flatMap((line) => SPOKEN.exec(line) ?? []).length === 0
      ? []
      : lines.map((line) => SPOKEN.exec(line));
  const said = spoken.filter((match) => match !== null);
  const isTimed = timed >= lines.length * MOST;
  if (isTimed && said.length >= lines.length * MOST) return talkLayers(said, all.length, words);
  return isTimed ? logLayers(lines, all.length, words) : undefined;
}

function talkLayers(said: readonly RegExpExecArray[], count: number, words: string): Layers {
  const speakers = [...new Set(said.map(([, nick, name]) => (nick ?? name ?? "").trim()))];
  const shown = speakers
    .slice(0, MAX_SPEAKERS)
    .join(", ")
    .replace(/, (?=[^,]*$)/, " and ");
  const first =
    said.map(([, , , message]) => message ?? "").find((message) => message.split(/\s+/).length > 3) ?? "";
  const head = `Conversation of ${shown}${speakers.length > MAX_SPEAKERS ? " and others" : ""}`;
  const abstract = sentence(`${words}: ${head}: ${trimmed(first, Math.max(8, MAX_ABSTRACT_WORDS - 10))}`);
  const list = said
    .slice(0, MAX_SHOWN_LINES)
    .map(([, nick, name, message]) => `- ${nick ?? name}: ${shorten(message ?? "", MAX_LINE_LENGTH)}`);
  const rest = count - list.length;
  return {
    abstract,
    overview: [
      `# ${words}`,
      "",
      `${head}, ${count} messages.`,
      "",
      ...list,
      ...(rest > 0 ? [`- and ${rest} more`] : []),
    ].join("\n"),
  };
}

const timeOf = (line: string | undefined): string =>
  (new RegExp(`^${TIME}`).exec(line ?? "")?.[0] ?? "").replace(/[[\]]/g, "");

function logLayers(lines: readonly string[], count: number, words: string): Layers {
  const severe = lines.filter((line) => SEVERITY.test(line));
  const counts = new Map<string, number>();
  for (const line of severe) {
    const [, level = ""] = SEVERITY.exec(line) ?? [];
    counts.set(level, (counts.get(level) ?? 0) + 1);
  }
  const found = [...counts].map(([level, n]) => `${n} ${level}`).join(", ");
  const span = `from ${timeOf(lines[0])}${count > lines.length ? " on" : ` to ${timeOf(lines.at(-1))}`}`;
  const said = `log of ${count} lines ${span}${found === "" ? "" : `, with ${found}`}`;
  const shown = (severe.length > 0 ? severe : lines)
    .slice(0, MAX_SHOWN_LINES)
    .map((line) => `- ${shorten(line.trim(), MAX_LINE_LENGTH)}`);
  return {
    abstract: sentence(`${words}: ${said}`),
    overview: [`# ${words}`, "", sentence(said.replace(/^l/, "L")), "", ...shown].join("\n"),
  };
}

interface Cell {
  readonly cell_type?: unknown;
  readonly source?: unknown;
}

/** Summarises a Jupyter notebook by its text cells. */
function* notebookLayers(source: LayerSource, words: string): Generator<undefined, Layers | undefined> {
  if (source.text.length > MAX_NOTEBOOK_LENGTH || !source.text.includes('"nbformat"')) return undefined;
  if (!hasFewMarks(source.text)) return undefined;
  let cells: unknown;
  try {
    cells = JSON.parse(source.text).cells;
  } catch {
    return undefined;
  }
  if (!Array.isArray(cells)) return undefined;
  const list: readonly (Cell | null)[] = cells;
  const text = list
    .filter((cell) => cell?.cell_type === "markdown")
    .map((cell) => sourceText(cell?.source))
    .join("\n\n")
    .slice(0, MAX_READ_LENGTH);
  if (text.trim() === "") return undefined;
  const title = /^#{1,3} +(.{1,120})$/m.exec(text)?.[1] ?? words;
  yield;
  return yield* proseLayerSteps({ kind: "markdown", title, text, outline: "" }, words);
}

/** The lines of a cell. Objects and nested lists are no text: some cannot even be converted to strings. */
function sourceText(source: unknown): string {
  const lines: readonly unknown[] = Array.isArray(source) ? source : [source];
  return lines.filter((line) => typeof line === "string").join("");
}

/** Whether a text of JSON has few brackets, braces and colons, within and outside of its strings. */
function hasFewMarks(text: string): boolean {
  let marks = 0;
  for (let at = 0; at < text.length && marks <= MAX_NOTEBOOK_MARKS; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x3a || unit === 0x5b || unit === 0x7b) marks++;
  }
  return marks <= MAX_NOTEBOOK_MARKS;
}
