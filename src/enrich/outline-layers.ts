import { type LayerSource, type Layers, MAX_ABSTRACT_WORDS, MAX_FILE_OVERVIEW_LENGTH } from "./layers.ts";
import { trimmed, wordCount } from "./lead-sentence.ts";
import { sentence } from "./prose-layers.ts";
import { normalised, shorten } from "./shorten.ts";
import { withoutInlineMarks } from "./text-blocks.ts";

const MAX_NAMES = 8;
const MAX_NAME_LENGTH = 40;
const MAX_FIRST_WORDS_LENGTH = 1000;

/**
 * Layers of code, data and binary files: the author's description, otherwise the content according to the
 * outline.
 */
export function outlineLayers(source: LayerSource, name: string, title: string): Layers {
  const heading = name === "" ? title : name;
  const plain = withoutInlineMarks(source.description ?? "");
  const described = NO_DOC.test(plain) ? "" : plain;
  const said =
    wordCount(described) >= 3 ? trimmed(described, MAX_ABSTRACT_WORDS - 1) : contentOf(source, name);
  const abstract =
    said === "" || normalised(said) === normalised(heading) ? heading : sentence(`${heading}: ${said}`);
  const words = shorten(firstWords(source), MAX_FIRST_WORDS_LENGTH);
  const body = source.outline === "" ? words : source.outline;
  const second = normalised(heading).includes(normalised(title).trimEnd()) ? "" : title;
  return {
    abstract,
    overview: fitted([`# ${heading}`, second, body].filter((part) => part.trim() !== "").join("\n\n")),
  };
}

function contentOf(source: LayerSource, name: string): string {
  const upper = source.outline.split("\n").filter((line) => line !== "" && !line.startsWith(" "));
  if (isMinified(source)) return "minified code";
  if (upper.length === 0) return trimmed(firstWords(source), MAX_ABSTRACT_WORDS - 1);
  if (source.kind === "code") return declared(upper, name);
  if (source.kind !== "data") return upper.join("; ");
  const [shape = ""] = upper[0]?.startsWith("- ") ? [""] : upper;
  const keys = upper
    .filter((line) => line.startsWith("- "))
    .map((line) => (/^- ([^:]*)/.exec(line)?.[1] ?? "").trim());
  const list = /^\[(\d+)\]$/.exec(shape);
  const head = list ? `a list of ${list[1]}` : shape;
  // the keys of a list's first item are nested below it
  const inner = list
    ? source.outline.split("\n").flatMap((line) => /^ {2}- ([^:]*)/.exec(line)?.[1] ?? [])
    : keys;
  return [head, named(inner)].filter((part) => part !== "").join(list ? " with " : ": ");
}

const MINIFIED_LINE = 2000;
/** Whether lines are thousands of characters long, as in generated code. */
const isMinified = ({ kind, text }: LayerSource): boolean =>
  kind === "code" && text.length > MINIFIED_LINE && text.length / text.split("\n").length > MINIFIED_LINE / 4;

/** Comments that do not describe a declaration. */
const NO_DOC =
  /^(?:#(?:region|pragma|if)|src\/|deprecated\b|todo\b|fixme\b|warning\b|do not edit|auto(?:matically)?[- ]generated|eslint-|@ts-|copyright\b|spdx|istanbul|prettier-|c8 |v8 |@|[-=*]{3,})/i;
const MIN_DOC_WORDS = 3;
/** Export markers; in languages that have them, other declarations are private. */
const EXPORTED = /^(?:export|pub)\b(?!\()/;

/**
 * A documented declaration with its description (preferably the one after which the file is named), then the
 * names of the others.
 */
function declared(all: readonly string[], file: string): string {
  const exported = all.filter((line) => EXPORTED.test(line));
  const signatures = exported.length > 0 ? exported : all;
  const names = signatures.map(nameOf).filter((name) => name !== "");
  const documented = signatures.filter((line) => {
    const doc = docOf(line);
    return nameOf(line) !== "" && wordCount(doc) >= MIN_DOC_WORDS && !NO_DOC.test(doc);
  });
  const stem = lettersOf(file.replace(/\.[^.]*$/, ""));
  const chosen = documented.find((line) => lettersOf(nameOf(line)) === stem) ?? documented[0];
  if (chosen === undefined) return named(names);
  const first = nameOf(chosen);
  const doc = trimmed(docOf(chosen), MAX_ABSTRACT_WORDS - 9).replace(/[.。]$/, "");
  if (doc.endsWith("…")) return named(names);
  const others = names.filter((name) => name !== first);
  // Go comments begin with the name
  const said = lettersOf(doc).startsWith(lettersOf(first)) ? doc : `${first}: ${doc}`;
  return `${said}${others.length === 0 ? "" : `; also ${named(others, 3)}`}`;
}

const docOf = (line: string): string => {
  const at = line.indexOf(" — ");
  return at < 0 ? "" : line.slice(at + 3);
};

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

const KEYWORDS =
  /^(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|declare|pub(?:\([^)]{0,40}\))?|unsafe|extern|const|let|var|readonly|override|virtual|inline|sealed|partial|open|data|suspend|func|function\*?|fun|fn|def|class|interface|struct|enum|trait|impl|type|record|object|module|namespace|mod|package|protocol|extension|macro_rules!)\s+)+/;

const C_TYPE =
  /^(?:typedef|void|int|char|unsigned|signed|long|short|float|double|bool|\w+_t|[A-Z][A-Z_]+\()(?=[\s(])/;
/** The name before the parameters, or the last one. */
const C_NAME = /([A-Za-z_]\w*)\s*(?:\([^()]*\))?\s*(?:\{[^}]*\}?)?[;{]?\s*$/;

/** The name that a signature declares. */
function nameOf(signature: string): string {
  const [head = ""] = signature.replace(/^- /, "").split(" — ", 1);
  const bare = head.replace(KEYWORDS, "").replace(/^\([^)]{0,80}\)\s*/, "");
  const inC = C_TYPE.test(bare) ? C_NAME.exec(bare)?.[1] : undefined;
  return shorten(
    inC ?? /^[\p{L}\p{N}_$.:]+/u.exec(bare)?.[0].replace(/[.:]+$/, "") ?? shorten(bare, MAX_NAME_LENGTH),
    MAX_NAME_LENGTH,
  );
}

/** Formats names: `a, b, c and 4 more`. */
function named(names: readonly string[], most = MAX_NAMES): string {
  const shown = [...new Set(names.filter((name) => name !== ""))];
  const more = shown.length - most;
  if (more > 0) return `${shown.slice(0, most).join(", ")} and ${more} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : shown.join("");
}

/** The beginning of a text without Markdown and code markup; for code, its first comment. */
function firstWords({ kind, text }: LayerSource): string {
  const head = text.slice(0, 4000);
  const comment = /^(?:#!.*\n\s*)?((?:(?:\/\/|#|--|;|\*|\/\*).*(?:\n|$)\s*){1,20})/.exec(
    head.trimStart(),
  )?.[1];
  if (kind === "code" && comment === undefined)
    return `${text.trimEnd().split("\n").length.toLocaleString("en-US")} lines of source code`;
  const plain =
    kind === "code" && comment ? comment.replace(/^[^\S\r\n]*(?:\/\/+|#+|--+|;+|\/\*+|\*+\/?)/gm, " ") : head;
  return plain
    .replace(/[#*_`|<>=~]+|-{2,}|\.{4,}/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Truncates text that is too long, at the end of a line. */
function fitted(text: string): string {
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
    : [...lines.slice(0, kept), `and ${lines.length - kept} more lines`].join("\n");
}
