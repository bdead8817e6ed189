import { fileURLToPath } from "node:url";
import type { Language } from "web-tree-sitter";
import { loadOnce } from "../../../base/load-once.ts";
import type { Decoded } from "../../../domain/text/decode.ts";
import type { Parsed } from "../parsed.ts";
import type { CodeLanguage } from "./code-languages.ts";
import { codeMime, languageOf } from "./code-languages.ts";
import { plainSkeleton } from "./plain-code.ts";
import { type Skeleton, skeleton } from "./skeleton.ts";

/** Maximum length for syntax analysis; a larger file is stored and split as code, without a skeleton. */
const MAX_SYNTAX_LENGTH = 1024 * 1024;
/**
 * Maximum number of the parser's progress reports (about one per hundred steps); bounds the time for hostile
 * input.
 */
const MAX_PARSE_REPORTS = 25_000;

/** Declarations that only C++ has, in a header with the extension of C. */
const CPP = /^(?:class|namespace|template|using|constexpr)[ <]/m;

/**
 * Source code, unchanged, with the signatures and doc comments of its declarations as `outline`. If the
 * grammar fails, adds a warning.
 */
export async function parseCode(title: string, extension: string, source: Decoded): Promise<Parsed> {
  const { text, encoding } = source;
  const parsed: Parsed = {
    kind: "code",
    mime: codeMime(extension) ?? "text/plain",
    encoding,
    title,
    text,
    outline: "",
    warnings: [],
  };
  const language = languageOf(
    extension === "h" && CPP.test(text.slice(0, MAX_SYNTAX_LENGTH)) ? "hpp" : extension,
  );
  if (text.trim() === "") return parsed;
  if (!language) return withSkeleton(parsed, plainSkeleton(text));
  if (text.length > MAX_SYNTAX_LENGTH)
    return { ...parsed, warnings: [`above ${MAX_SYNTAX_LENGTH} characters: stored without an outline`] };
  try {
    const found = await skeletonOf(language, text);
    if (found === undefined) throw new Error("given up");
    return withSkeleton(parsed, found);
  } catch {
    // if the grammar cannot be loaded or fails, only the outline is missing
  }
  return {
    ...parsed,
    warnings: [`the ${language.name} syntax could not be read: stored without an outline`],
  };
}

const withSkeleton = (parsed: Parsed, { description, paragraph, outline }: Skeleton): Parsed => ({
  ...parsed,
  outline: [paragraph, outline].filter((part) => part !== "").join("\n"),
  ...(description !== "" && { description }),
});

async function skeletonOf(language: CodeLanguage, text: string): Promise<Skeleton | undefined> {
  const grammar = await loadGrammar(language.grammar);
  const parser = await sharedParser();
  parser.setLanguage(grammar);
  let reports = 0;
  const tree = parser.parse(text, null, { progressCallback: () => ++reports > MAX_PARSE_REPORTS });
  if (!tree) {
    parser.reset();
    return undefined;
  }
  try {
    return skeleton(tree, language);
  } finally {
    tree.delete();
  }
}

// parsing is synchronous, so all languages share one parser
const sharedParser = loadOnce(async () => {
  const { Parser } = await import("web-tree-sitter");
  await Parser.init();
  return new Parser();
});

const grammars = new Map<string, () => Promise<Language>>();

function loadGrammar(specifier: string): Promise<Language> {
  let grammar = grammars.get(specifier);
  if (!grammar) {
    grammar = loadOnce(async () => {
      await sharedParser();
      const { Language } = await import("web-tree-sitter");
      return Language.load(fileURLToPath(import.meta.resolve(specifier)));
    });
    grammars.set(specifier, grammar);
  }
  return grammar();
}
