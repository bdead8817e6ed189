import { listNames, named } from "../../domain/text/names.ts";
import { type LayerSource, type Layers, MAX_ABSTRACT_WORDS } from "../layers.ts";
import { trimmed, wordCount } from "../lead-sentence.ts";
import { fittedLines } from "../outline-layers.ts";
import { capitalized, sentence } from "../sentence.ts";
import { withoutInlineMarks } from "../text-blocks.ts";
import { type Declaration, type Declared, declaredIn, nameOf } from "./code-names.ts";
import { scriptCommands } from "./script-commands.ts";

const MAX_NAMES = 6;
const MIN_WORDS = 3;
const MINIFIED_LINE = 2000;

/**
 * Layers of source code: the author's description, otherwise the names that it exports or defines; the
 * overview lists them with signatures and documentation.
 */
export function codeLayers(source: LayerSource, name: string, title: string): Layers {
  const heading = name === "" ? title : name;
  const description = usable(source.description ?? "");
  const lines = source.outline.split("\n").filter((line) => line !== "");
  const isDescribed = (source.description ?? "") !== "" && lines[0]?.startsWith(source.description ?? "");
  const outline = isDescribed ? lines.slice(1) : lines;
  const declared = declaredIn(outline);
  const held = scriptDescription(source, heading);
  const content = held || contentOf(source, name, declared);
  const said =
    wordCount(description) >= MIN_WORDS && !isVague(description)
      ? `${heading}: ${trimmed(description, MAX_ABSTRACT_WORDS - 1)}`
      : content;
  const isSaid = wordCount(description) >= MIN_WORDS;
  const paragraph = isDescribed && isSaid ? withoutInlineMarks(lines[0] ?? "") : "";
  const list = listOf(outline, declared);
  // the list says the same as names that were taken from it
  const isListed = held === "" && list !== "";
  const second =
    isListed || (isSaid && !isVague(description))
      ? ""
      : sentence(capitalized(content.replace(`${heading}: `, "")));
  const parts = [`# ${heading}`, paragraph, second, list];
  return {
    abstract: sentence(said),
    overview: fittedLines(parts.filter((part) => part.trim() !== "").join("\n\n")),
  };
}

/** Comments that do not describe anything. */
const NO_DOC =
  /^(?:#(?:region|pragma|if)|src\/|deprecated\b|keep (?:this|these|it|in sync)\b|todo\b|fixme\b|warning\b|do not edit|eslint-|@ts-|spdx|@|[-=*]{3,}|\(?(?:non-)?javadoc|see\b|internal$|private$)/i;

const usable = (doc: string): string => {
  const plain = withoutInlineMarks(doc).replace(/^(?:\W+)(?=\p{L})/u, "");
  return NO_DOC.test(plain) || /…$/.test(trimmed(plain)) ? "" : plain;
};

/** Descriptions that fit any file of their kind. */
const isVague = (description: string): boolean =>
  /^(?:this is an internal header file|internal\b.{0,20}$|main entry\b.{0,20}$|(?:helper|utility) functions?\.?$|constants?\.?$)/i.test(
    description,
  );

/** A description that a script holds in a variable. */
const SCRIPT_DESCRIPTION = /^(?:test_)?desc(?:ription)?=["']([^"'\n]{8,200})["'\n]/im;

function scriptDescription({ text }: LayerSource, file: string): string {
  const said = /\.(?:sh|bash|zsh)$/.test(file)
    ? SCRIPT_DESCRIPTION.exec(text.slice(0, 8000))?.[1]
    : undefined;
  return said === undefined ? "" : `${file}: ${said}`;
}

const isMinified = ({ text }: LayerSource): boolean =>
  text.length > MINIFIED_LINE && text.length / text.split("\n").length > MINIFIED_LINE / 4;

/** A sentence about the names that a file exports or defines. */
function contentOf(source: LayerSource, file: string, declared: Declared): string {
  const { declarations, isExported, implemented, passedOn } = declared;
  const verb = isHeader(file) ? "declares" : isExported ? "exports" : "defines";
  const names = orderedNames(declarations, file);
  if (implemented.length > names.length && !declarations.some(({ doc }) => doc !== "" && isExported)) {
    const traits = named(
      implemented.map(([trait]) => trait),
      MAX_NAMES - 2,
    );
    return `${file}: implements ${traits} for ${named(
      implemented.map(([, type]) => type),
      3,
    )}`;
  }
  if (names.length > 0) return declaredSentence(file, verb, declared, names);
  if (passedOn.length > 0)
    return `${file}: exports everything from ${named([...new Set(passedOn)], MAX_NAMES)}`;
  if (isExported && !isMinified(source)) {
    const from = DEFAULT_OF.exec(source.text)?.[1];
    return from === undefined ? `${file}: has a default export` : `${file}: exports the default of ${from}`;
  }
  if (isMinified(source)) return `${file}: minified code`;
  return otherContent(source, file);
}

/** Passes on the default export of another module. */
const DEFAULT_OF = /^export \{ ?default ?\} from ["']([^"'\n]{1,200})["']/m;

const isHeader = (file: string): boolean => /\.(?:h|hh|hpp|hxx|pyi)$|\.d\.[cm]?ts$/.test(file);
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const stemOf = (file: string): string => lettersOf(file.replace(/\.(?:d\.)?[^.]*$/, ""));

/** The name after which the file is named first. */
function orderedNames(declarations: readonly Declaration[], file: string): string[] {
  const stem = stemOf(file);
  // macros last: headers often generate them in great numbers
  const rank = ({ name, line }: Declaration): number =>
    lettersOf(name) === stem ? 0 : line.startsWith("#") ? 2 : 1;
  return declarations.toSorted((a, b) => rank(a) - rank(b)).map(({ name }) => name);
}

/** The names, the documentation of the first if the file is about it, and how many there are. */
function declaredSentence(
  file: string,
  verb: string,
  { declarations }: Declared,
  names: readonly string[],
): string {
  const stem = stemOf(file);
  const [first = ""] = names;
  const documented = declarations.filter(({ doc }) => wordCount(usable(doc)) >= MIN_WORDS);
  const main =
    documented.find(({ name }) => lettersOf(name) === stem) ??
    (names.length === 1 ? documented[0] : undefined);
  if (main !== undefined) {
    const doc = trimmed(usable(main.doc), MAX_ABSTRACT_WORDS - 2).replace(/[.。]$/, "");
    // Go comments begin with the name
    const isSaid = lettersOf(main.name) === stem || lettersOf(doc).startsWith(lettersOf(main.name));
    return isSaid ? `${file}: ${doc}` : `${file}: ${verb} ${main.name}: ${doc}`;
  }
  const few =
    names.length <= 3 ? (documented.find(({ name }) => name === first) ?? documented[0]) : undefined;
  if (few !== undefined) {
    const doc = usable(few.doc).replace(/[.。]$/, "");
    const rest = names.filter((name) => name !== few.name);
    const told = `${file}: ${verb} ${few.name} (${doc.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase())})`;
    const whole = rest.length === 0 ? told : `${told}${rest.length > 1 ? ", " : " and "}${named(rest, 3)}`;
    if (wordCount(whole) <= MAX_ABSTRACT_WORDS && !/[()]|\. /.test(doc)) return whole;
  }
  const count = names.length > MAX_NAMES ? `${names.length.toLocaleString("en-US")} names: ` : "";
  return `${file}: ${verb} ${count}${listNames(names, MAX_NAMES)}`;
}

/** A source file without declarations: what a script runs, its constants, or its imports. */
function otherContent({ text }: LayerSource, file: string): string {
  const words = text.slice(0, 64 * 1024);
  const inner = [...words.matchAll(INNER)].map(([, name]) => name ?? "");
  if (inner.length > 0) return `${file}: defines ${named(inner, MAX_NAMES)}`;
  const commands = scriptCommands(text, file);
  if (commands !== "") return `${file}: ${commands}`;
  const isC = /\.(?:c|h|hpp|cc)$/.test(file);
  const constants = [...words.matchAll(isC ? MACRO : CONSTANT)]
    .map(([, name]) => name ?? "")
    .filter((name) => !name.startsWith("__"));
  if (constants.length > 0) return `${file}: ${isC ? "defines" : "sets"} ${named(constants, MAX_NAMES)}`;
  const selectors = /\.(?:css|scss|less)$/.test(file) ? [...words.matchAll(SELECTOR)] : [];
  if (selectors.length > 0)
    return `${file}: styles of ${named(
      selectors.map(([, name]) => (name ?? "").trim()),
      MAX_NAMES,
    )}`;
  const imports = [...text.slice(0, 16 * 1024).matchAll(IMPORT)].map(
    ([, a, b, c, d]) => a ?? b ?? c ?? d ?? "",
  );
  if (imports.length > 0)
    return `${file}: ${/\.h\w*$/.test(file) ? "includes" : "imports"} ${named(imports, MAX_NAMES)}`;
  const count = text.trimEnd().split("\n").length;
  return `${file}: ${count === 1 ? "one line" : `${count.toLocaleString("en-US")} lines`} of source code`;
}

/** Declarations within blocks or calls of macros. */
const INNER =
  /^[ \t]{0,16}(?:pub(?:\([^)\n]{0,40}\))? |export |public )?(?:async )?(?:struct|class|interface|enum|trait|fn|function|def|func) ([A-Za-z_]\w{1,60})/gm;
const MACRO = /^[ \t]{0,8}#[ \t]{0,8}define[ \t]{1,8}([A-Za-z]\w{1,60})[ \t]{1,40}\S/gm;
const CONSTANT =
  /^(?:export )?(?:declare )?(?:const |let |var |local |our |my )?[$@%]?([A-Za-z_][\w.]{0,60})(?:\s?:\s?[^=\n]{1,80})?\s?=(?![=>])/gm;
const SELECTOR = /^([.#]?[\w-][\w .:#>~+-]{0,60}?)[ \t]{0,8}[{,]/gm;
const IMPORT =
  /^(?:import\s[^"'\n]{0,200}["']([^"'\n]{1,100})["']|(?:from|import|use|require)\s+([\w.:]{1,100})|#\s?include\s+[<"]([^>"\n]{1,100})[>"]|\/{3}\s?<reference\s\w+="([^"\n]{1,100})")/gm;

/** Lists the declarations, one per line; only the exported ones if there are any. */
function listOf(outline: readonly string[], { declarations }: Declared): string {
  const known = new Set(declarations.map(({ name }) => name));
  const isNamed = known.size > 0;
  const own = new Set(outline.filter((line) => !/^(?: |export \{)/.test(line)).map(nameOf));
  const shown: string[] = [];
  let isShown = true;
  for (const line of outline) {
    const isMember = line.startsWith(" ");
    if (!isMember) isShown = !isRepeated(line, own) && (!isNamed || isKnown(line, known));
    if (isShown && !(isMember && PRIVATE_MEMBER.test(line))) shown.push(withoutValue(line));
  }
  return shown.join("\n");
}

const EXPORT_OF_NAMES = /^export \{([^{}]{1,2000})\}$/;

/** Whether a line only exports, by their own names, what other lines declare. */
function isRepeated(line: string, own: ReadonlySet<string>): boolean {
  const names = EXPORT_OF_NAMES.exec(line)?.[1]
    ?.split(",")
    .map((name) => name.trim());
  return names?.every((name) => own.has(name)) ?? false;
}

/** A signature without the value of a constant or macro, if that is long; the documentation is kept. */
const withoutValue = (line: string): string =>
  line
    .replace(MACRO_BODY, "$1")
    .replace(
      /^((?:export )?(?:const|let|var) [\w$]{1,80}(?:: [^=]{1,80})?) = (?!\(|function|async)[^—]{60,}(?=$| — )/,
      "$1",
    );

/** A macro with arguments, and its replacement. */
const MACRO_BODY = /^(# ?define \w{1,80}\([^()]{0,200}\)) (?!— )[^—]{20,}(?=$| — )/;
const PRIVATE_MEMBER = /^ +(?:async )?(?:def _(?!_init__)|private |#)/;
const isKnown = (line: string, known: ReadonlySet<string>): boolean =>
  declaredIn([line]).declarations.some(({ name }) => known.has(name)) ||
  /^func \([^)]{0,80}\) \p{Lu}/u.test(line) ||
  /^(?:export [{*]|impl\b|unsafe impl\b|(?:inline )?namespace\b|(?:pub )?mod\b|package\b|declare (?:module|global)\b)/.test(
    line,
  );
