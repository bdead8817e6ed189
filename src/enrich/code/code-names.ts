import { shorten } from "../shorten.ts";

const MAX_NAME_LENGTH = 60;

/** A declaration of a source file, from a line of its outline. */
export interface Declaration {
  /** "" if it has none, as an operator or a pattern. */
  readonly name: string;
  /** First sentence of its documentation; "" without one. */
  readonly doc: string;
  readonly line: string;
}

/** The top-level declarations of a source file. */
export interface Declared {
  /** Those that other files can use, or all if the language or the file does not tell. */
  readonly declarations: readonly Declaration[];
  /** Whether they are marked as exports. */
  readonly isExported: boolean;
  /** Traits and the types that they are implemented for. */
  readonly implemented: readonly (readonly [trait: string, type: string])[];
  /** Modules whose exports are passed on. */
  readonly passedOn: readonly string[];
}

/** Export markers; in languages that have them, other declarations are private. */
const EXPORTED = /^(?:export|pub|public|module\.exports|exports\.)(?![\w(])/;
const EXPORT_LIST =
  /^(?:export (?:type )?|(?:export default|module\.exports =) )\{([^}]*)\}?(?: from ["']([^"'\s]+)["'])?/;
const PASSED_ON = /^export (?:type )?\*(?: as ([\w$]+))? from ["']([^"'\s]+)["']/;
const ASSIGNED = /^(?:module\.)?exports\.([\w$]+)/;
const DEFAULT = /^(?:export (?:default|=)|module\.exports(?:\.[\w$]+)? =)\s*/;
/** Containers whose content is what a file declares. */
const TRANSPARENT =
  /^(?:inline )?(?:namespace|package|extern|mod|pub mod|declare (?:module|global|namespace))\b/;
/** Members of `impl` blocks belong to a type that is declared elsewhere. */
const IMPL = /^(?:unsafe )?impl\b/;
/** A trait and the type that it is implemented for, without lifetimes and type parameters. */
const IMPLEMENTED =
  /^(?:unsafe )?impl(?:<[^{}]{0,200}?>)? (?:[\w]+::)*(\w+)(?:<[^{}]{0,200}>)? for &?(?:[\w]+::)*(\w+)/;
/** Names of include guards, attributes and the like. */
const NO_NAME =
  /^(?:default|_?[A-Z\d_]+_(?:H|HPP|H_|INCLUDED)_*|if|else|for|while|return|switch|using|clang|GCC|\w+_(?:EXPORT|API|BEGIN|END|DECLS)|__\w+__)$/;

/** Reads the declarations from an outline, one per line, members indented. */
export function declaredIn(outline: readonly string[]): Declared {
  const found = outline.filter((line) => line.trim() !== "");
  const upper = found.filter((line) => !line.startsWith(" "));
  const inner = found.filter((line) => /^ {2}\S/.test(line)).map((line) => line.slice(2));
  const own = upper.filter((line) => !TRANSPARENT.test(line));
  const nested = inner.filter((line) => !TRANSPARENT.test(line));
  const deep = found.filter((line) => /^ {4}\S/.test(line)).map((line) => line.trim());
  const lines = [own, nested, deep, upper].find((some) => some.length > 0) ?? [];
  const exported = lines.filter((line) => EXPORTED.test(line));
  const passedOn = exported.flatMap((line) => PASSED_ON.exec(line)?.[2] ?? []);
  const docs = new Map(
    lines.filter((line) => !EXPORTED.test(line)).map((line) => [nameOf(line), line] as const),
  );
  const told = exported.length > 0 ? exported : lines.filter((line) => !IMPL.test(line));
  const all = told.flatMap((line) => namesOf(line).map((name) => declaration(name, line, docs.get(name))));
  const named = all.filter(({ name }) => name !== "" && !NO_NAME.test(name));
  const isPublic = named.filter(({ name }) => !/^(?:_|#)/.test(name));
  return {
    declarations: unique(publicInGo(isPublic.length > 0 ? isPublic : named)),
    isExported: exported.length > 0,
    implemented: lines.flatMap((line) => {
      const [, trait, type] = IMPLEMENTED.exec(line) ?? [];
      return trait === undefined || type === undefined ? [] : [[trait, type] as const];
    }),
    passedOn,
  };
}

function declaration(name: string, line: string, declaredAs: string | undefined): Declaration {
  const whole = declaredAs ?? line;
  return { name, doc: docOf(line) || docOf(whole), line: whole };
}

/** In Go, capital letters export a name. */
function publicInGo(declarations: readonly Declaration[]): readonly Declaration[] {
  if (!declarations.some(({ line }) => /^func\s/.test(line))) return declarations;
  const own = declarations.filter(({ line }) => !/^func\s\(/.test(line));
  const upper = own.filter(({ name }) => /^\p{Lu}/u.test(name));
  return [upper, own, declarations].find((some) => some.length > 0) ?? [];
}

function unique(declarations: readonly Declaration[]): Declaration[] {
  const byName = new Map<string, Declaration>();
  for (const one of declarations) if ((byName.get(one.name)?.doc ?? "") === "") byName.set(one.name, one);
  return [...byName.values()];
}

const docOf = (line: string): string => {
  const at = line.indexOf(" — ");
  return at < 0 ? "" : line.slice(at + 3);
};

/** The names that a line declares: several for a list of exports. */
function namesOf(line: string): string[] {
  if (PASSED_ON.test(line)) return [PASSED_ON.exec(line)?.[1] ?? ""];
  const list = EXPORT_LIST.exec(line)?.[1];
  if (list !== undefined)
    return list
      .split(",")
      .map((part) => exportedName(part.trim()))
      .filter((name) => name !== "");
  const assigned = ASSIGNED.exec(line)?.[1];
  return [assigned ?? nameOf(line)];
}

/** The name under which a part of an export list is known. */
function exportedName(part: string): string {
  const [, own = "", other = ""] = /^(?:type )?([\w$]+)(?: as ([\w$]+))?/.exec(part) ?? [];
  return other === "" || other === "default" ? own : other;
}

const KEYWORDS =
  /^(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|declare|pub(?:\([^)]{0,40}\))?|unsafe|extern|const|let|var|readonly|override|virtual|inline|sealed|partial|open|data|case|suspend|func|function\*?|fun|fn|def|defp|defmodule|sub|class|interface|struct|union|enum|trait|impl|type|record|object|module|namespace|mod|package|protocol|extension|contract|library|message|service|resource|variable|macro_rules!|#define|@interface|@implementation|template ?<[^<>]{0,200}>|create|or|replace|table|view|procedure|trigger|if|not|exists)\s+)+/i;
const C_TYPE =
  /^(?:typedef|void|int|char|unsigned|signed|long|short|float|double|bool|size_t|auto|std::[\w:]+|\w+_t|[A-Z]\w*|[A-Z][A-Z_]+\()(?=[\s(*&<])/;
/** Declared name in C: the identifier before the parameter list, otherwise the last identifier. */
const C_NAME = /([A-Za-z_]\w*)\s*(?:\([^()]*\))?\s*(?:const|noexcept)?\s*(?:\{[^}]*\}?)?[;{]?\s*$/;
const FUNCTION_POINTER = /\(\*\s*(\w+)\)/;
const C_CALL = /(~?[A-Za-z_]\w*)\s*\(/g;
/** Macros that mark a declaration: `PyAPI_FUNC(int) name(…)`, `__attribute__((x))`. */
const C_MACRO = /^(?:[A-Z][A-Za-z]*_[A-Z]+|__\w+)\s*(?:\([^()]{0,80}\))?\s+(?=\w)/;

/** The name that a signature declares. */
export function nameOf(signature: string): string {
  const [head = ""] = signature.trim().split(" — ", 1);
  const macro = /^#\s*define\s+(\w+)/.exec(head)?.[1];
  if (macro !== undefined) return macro;
  const bare = head
    .replace(DEFAULT, "")
    .replace(KEYWORDS, "")
    .replace(/^\([^)]{0,80}\)\s*/, "");
  if (
    KEYWORDS.test(head) &&
    !/^(?:extern|static|inline|const|struct|union|enum|unsigned|template)\b/.test(head)
  )
    return plainName(bare);
  return (isC(bare) ? cName(bare) : undefined) ?? plainName(bare);
}

/** A macro between `class` and the name of the class. */
const EXPORT_MACRO = /^[A-Z][A-Z\d]*_[A-Z_]+\s+(?=\w)/;

const plainName = (whole: string): string =>
  shorten(
    /^["'`]?([\p{L}\p{N}_$.:@/-]+)/u.exec(whole.replace(EXPORT_MACRO, ""))?.[1]?.replace(/[.:-]+$/, "") ?? "",
    MAX_NAME_LENGTH,
  );

const isC = (bare: string): boolean =>
  C_TYPE.test(bare) || C_MACRO.test(bare) || /^\w+[\s*&]+\w+\s*\(/.test(bare);

function cName(whole: string): string | undefined {
  const pointer = FUNCTION_POINTER.exec(whole)?.[1];
  if (pointer !== undefined) return pointer;
  const bare = whole.replace(C_MACRO, "").replace(/^typedef\s+(?:struct|union|enum)?\s*/, "");
  const calls = [...bare.slice(0, 300).matchAll(C_CALL)].map(([, called = ""]) => called);
  // a macro as type or attribute: `STACK_OF(X509) *chain(…)`
  return calls.find((called) => !/^[A-Z\d_]+$/.test(called)) ?? calls[0] ?? C_NAME.exec(bare)?.[1];
}
