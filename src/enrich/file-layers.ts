import { rankSentences } from "./extract-sentences.ts";
import { nameWords, normalised, shorten } from "./shorten.ts";

export const MAX_ABSTRACT_LENGTH = 256;
export const MAX_FILE_OVERVIEW_LENGTH = 2000;
const ABSTRACT_SENTENCES = 2;
const OVERVIEW_SENTENCES = 8;
const MAX_OVERVIEW_SENTENCES_LENGTH = 1000;

export interface Layers {
  /** L0: one or two sentences, at most 256 characters. */
  readonly abstract: string;
  /** L1: Markdown. */
  readonly overview: string;
}

/** What layers are made of: the fields of the same names of a parsed file. */
export interface LayerSource {
  readonly kind: "markdown" | "text" | "data" | "html" | "document" | "code" | "binary";
  readonly title: string;
  readonly text: string;
  readonly outline: string;
}

/**
 * The layers of a file without a language model, in its own language: the sentences that say most, for code, data and binary files their outline. `name` is the
 * file's own. Never empty: a file without words is told by its name. Deterministic.
 */
export function fileLayers(source: LayerSource, name: string): Layers {
  const words = nameWords(name, false);
  const title = source.title.trim() || words;
  const isProse = source.kind !== "data" && source.kind !== "code" && source.kind !== "binary";
  return isProse ? proseLayers(source, title, words) : outlineLayers(source, name, title);
}

function proseLayers(source: LayerSource, title: string, words: string): Layers {
  const extract = rankSentences(source.text, { isMarkdown: source.kind !== "text", about: title });
  const key = extract(OVERVIEW_SENTENCES, MAX_OVERVIEW_SENTENCES_LENGTH);
  const room = MAX_ABSTRACT_LENGTH - Math.min(title.length + 2, 80);
  const first = key.length === 0 ? [firstWords(source.text)] : extract(ABSTRACT_SENTENCES, room);
  const abstract = shorten(withTitle(title, joined(first)), MAX_ABSTRACT_LENGTH) || words;
  const paragraph = key.length === 0 ? firstWords(source.text) : joined(key);
  return { abstract, overview: shortenLines([`# ${title}`, paragraph, source.outline], MAX_FILE_OVERVIEW_LENGTH) };
}

/** Code and data by the upper lines of their outline, files without one by their first words. */
function outlineLayers(source: LayerSource, name: string, title: string): Layers {
  const upper = source.outline
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(" "))
    .map((line) => line.replace(/^- /, ""));
  const words = source.kind === "code" ? commentWords(source.text) : firstWords(source.text);
  const said = upper.length > 0 ? upper.join("; ") : words;
  const heading = name === "" ? title : name;
  const abstract = shorten(said === "" ? heading : `${heading}: ${said}`, MAX_ABSTRACT_LENGTH);
  const body = source.outline === "" ? shorten(words, MAX_OVERVIEW_SENTENCES_LENGTH) : source.outline;
  return {
    abstract,
    overview: shortenLines(
      [`# ${heading}`, normalised(heading).includes(normalised(title).trimEnd()) ? "" : title, body],
      MAX_FILE_OVERVIEW_LENGTH,
    ),
  };
}

/** Sentences with a space between, but not behind a full stop that is wide already. */
export const joined = (sentences: readonly string[]): string => sentences.join(" ").replace(/(?<=[。！？；]) /g, "");

/** Nothing is said twice: a sentence that holds the title's words stands alone. */
function withTitle(title: string, said: string): string {
  if (said === "") return title;
  if (normalised(said).includes(normalised(title).trimEnd())) return said;
  return `${shorten(title, 80)}${/[\u3040-\u30ff\u3400-\u9fff]$/.test(title) ? "：" : ": "}${said}`;
}

/** The beginning of a text without the marks of Markdown and code. */
function firstWords(text: string): string {
  return shorten(
    text
      .slice(0, 4000)
      .replace(/[#*_`|<>=~]+|-{2,}|\.{4,}/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
    MAX_ABSTRACT_LENGTH,
  );
}

/** The first words of a file of code without an outline: comments before anything else. */
function commentWords(text: string): string {
  const comment = /^\s*(?:#!.*\n)?\s*((?:(?:\/\/|#|--|;|\*|\/\*).*(?:\n|$)\s*){1,20})/.exec(text.slice(0, 4000))?.[1];
  return firstWords(comment ? comment.replace(/^\s*(?:\/\/+|#+|--+|;+|\/\*+|\*+\/?)/gm, " ") : text);
}

/** Parts joined by blank lines, cut behind a whole line where they are too long. */
function shortenLines(parts: readonly string[], max: number): string {
  const text = parts.filter((part) => part.trim() !== "").join("\n\n");
  if (text.length <= max) return text;
  const end = text.lastIndexOf("\n", max - 2);
  return end > max / 2 ? `${text.slice(0, end).trimEnd()}\n…` : shorten(text, max);
}
