import { itemAt } from "../../../base/expect.ts";

/** Rules that extract a language's skeleton from its syntax tree. Names are node types of the grammar. */
export interface CodeLanguage {
  readonly name: string;
  /** Module specifier of the grammar's WebAssembly file. */
  readonly grammar: string;
  readonly mime: string;
  readonly extensions: readonly string[];
  /** Declarations whose bodies contain further declarations. */
  readonly containers: readonly string[];
  /** Declarations of which only the signature is shown. */
  readonly members: readonly string[];
  /** Shown only if they declare a function or are exported. */
  readonly variables?: readonly string[];
  /** Statements that are shown only if they assign to the exports of a module. */
  readonly exports?: readonly string[];
  /** Shown only if they declare a function. */
  readonly prototypes?: readonly string[];
  /** Nodes that are traversed but not shown. */
  readonly wrappers: readonly string[];
  /** Documentation is inside the body instead of before the declaration. */
  readonly docstrings?: true;
  /** A signature is a single line; otherwise it ends where the body begins. */
  readonly signatureIsLine?: true;
}

const vscode = (grammar: string) => `@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`;
const repomix = (grammar: string) => `@repomix/tree-sitter-wasms/out/tree-sitter-${grammar}.wasm`;

const PREPROCESSOR = [
  "preproc_ifdef",
  "preproc_if",
  "preproc_else",
  "linkage_specification",
  "declaration_list",
];
const SCRIPT_MEMBERS = ["function_declaration", "generator_function_declaration", "method_definition"];
const SCRIPT_VARIABLES = ["lexical_declaration", "variable_declaration"];
const TYPESCRIPT = {
  mime: "text/typescript",
  containers: [
    "class_declaration",
    "abstract_class_declaration",
    "class",
    "interface_declaration",
    "internal_module",
    "module",
  ],
  members: [
    ...SCRIPT_MEMBERS,
    "type_alias_declaration",
    "enum_declaration",
    "function_signature",
    "method_signature",
    "abstract_method_signature",
    "property_signature",
  ],
  variables: SCRIPT_VARIABLES,
  wrappers: ["export_statement", "ambient_declaration", "expression_statement"],
} as const;

const LANGUAGES: readonly CodeLanguage[] = [
  {
    name: "Python",
    grammar: vscode("python"),
    mime: "text/x-python",
    extensions: ["py", "pyi", "pyw"],
    containers: ["class_definition"],
    members: ["function_definition"],
    wrappers: ["decorated_definition", "if_statement", "block"],
    docstrings: true,
  },
  {
    name: "JavaScript",
    grammar: vscode("javascript"),
    mime: "text/javascript",
    extensions: ["js", "mjs", "cjs", "jsx"],
    containers: ["class_declaration", "class"],
    members: SCRIPT_MEMBERS,
    variables: SCRIPT_VARIABLES,
    exports: ["expression_statement"],
    wrappers: ["export_statement"],
  },
  { name: "TypeScript", grammar: vscode("typescript"), extensions: ["ts", "mts", "cts"], ...TYPESCRIPT },
  { name: "TSX", grammar: vscode("tsx"), extensions: ["tsx"], ...TYPESCRIPT },
  {
    name: "Go",
    grammar: vscode("go"),
    mime: "text/x-go",
    extensions: ["go"],
    containers: [],
    members: ["function_declaration", "method_declaration", "type_declaration"],
    wrappers: [],
  },
  {
    name: "Java",
    grammar: vscode("java"),
    mime: "text/x-java",
    extensions: ["java"],
    containers: [
      "class_declaration",
      "interface_declaration",
      "enum_declaration",
      "record_declaration",
      "annotation_type_declaration",
    ],
    members: ["method_declaration", "constructor_declaration", "compact_constructor_declaration"],
    wrappers: ["enum_body_declarations"],
  },
  {
    name: "Rust",
    grammar: vscode("rust"),
    mime: "text/x-rust",
    extensions: ["rs"],
    containers: ["impl_item", "trait_item", "mod_item"],
    members: [
      "function_item",
      "function_signature_item",
      "struct_item",
      "enum_item",
      "union_item",
      "type_item",
      "macro_definition",
    ],
    wrappers: ["foreign_mod_item"],
  },
  {
    name: "C",
    grammar: repomix("c"),
    mime: "text/x-c",
    extensions: ["c", "h"],
    containers: [],
    members: [
      "function_definition",
      "struct_specifier",
      "union_specifier",
      "enum_specifier",
      "type_definition",
      "preproc_function_def",
    ],
    prototypes: ["declaration"],
    wrappers: PREPROCESSOR,
  },
  {
    name: "C++",
    grammar: vscode("cpp"),
    mime: "text/x-c++",
    extensions: ["cc", "cpp", "cxx", "hpp", "hh", "hxx", "ipp", "cu", "cuh"],
    containers: ["class_specifier", "struct_specifier", "namespace_definition"],
    members: [
      "function_definition",
      "enum_specifier",
      "alias_declaration",
      "type_definition",
      "concept_definition",
    ],
    prototypes: ["declaration", "field_declaration"],
    wrappers: [...PREPROCESSOR, "template_declaration"],
  },
  {
    name: "C#",
    grammar: vscode("c-sharp"),
    mime: "text/x-csharp",
    extensions: ["cs"],
    containers: [
      "class_declaration",
      "interface_declaration",
      "struct_declaration",
      "record_declaration",
      "enum_declaration",
      "namespace_declaration",
    ],
    members: [
      "method_declaration",
      "constructor_declaration",
      "property_declaration",
      "delegate_declaration",
    ],
    wrappers: ["file_scoped_namespace_declaration", "declaration_list"],
  },
  {
    name: "Ruby",
    grammar: vscode("ruby"),
    mime: "text/x-ruby",
    extensions: ["rb", "rake", "gemspec"],
    containers: ["class", "module", "singleton_class"],
    members: ["method", "singleton_method"],
    wrappers: ["body_statement"],
    signatureIsLine: true,
  },
  {
    name: "PHP",
    grammar: vscode("php"),
    mime: "text/x-php",
    extensions: ["php"],
    containers: [
      "class_declaration",
      "interface_declaration",
      "trait_declaration",
      "enum_declaration",
      "namespace_definition",
    ],
    members: ["function_definition", "method_declaration"],
    wrappers: [],
  },
  {
    name: "Shell",
    grammar: vscode("bash"),
    mime: "text/x-shellscript",
    extensions: ["sh", "bash", "zsh"],
    containers: [],
    members: ["function_definition"],
    wrappers: ["if_statement"],
  },
  {
    name: "Swift",
    grammar: repomix("swift"),
    mime: "text/x-swift",
    extensions: ["swift"],
    containers: ["class_declaration", "protocol_declaration"],
    members: [
      "function_declaration",
      "init_declaration",
      "protocol_function_declaration",
      "typealias_declaration",
    ],
    wrappers: [],
  },
];

/** Languages that are stored and split as code, without a skeleton. */
const PLAIN_CODE: Readonly<Record<string, string>> = {
  kt: "text/x-kotlin",
  kts: "text/x-kotlin",
  scala: "text/x-scala",
  lua: "text/x-lua",
  pl: "text/x-perl",
  pm: "text/x-perl",
  r: "text/x-r",
  jl: "text/x-julia",
  dart: "text/x-dart",
  ex: "text/x-elixir",
  exs: "text/x-elixir",
  erl: "text/x-erlang",
  hs: "text/x-haskell",
  ml: "text/x-ocaml",
  clj: "text/x-clojure",
  m: "text/x-objective-c",
  mm: "text/x-objective-c",
  sql: "application/sql",
  proto: "text/x-protobuf",
  css: "text/css",
  scss: "text/x-scss",
  less: "text/x-less",
  vue: "text/x-vue",
  svelte: "text/x-svelte",
  ps1: "text/x-powershell",
  bat: "text/x-batch",
  tf: "text/x-terraform",
  sol: "text/x-solidity",
  zig: "text/x-zig",
  asm: "text/x-asm",
  s: "text/x-asm",
};

const BY_EXTENSION = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
);
const BY_INTERPRETER: readonly (readonly [RegExp, string])[] = [
  [/\bpython[\d.]*\b/, "py"],
  [/\b(?:ba|z|da|k)?sh\b/, "sh"],
  [/\b(?:node|deno|bun)\b/, "js"],
  [/\bruby\b/, "rb"],
  [/\bphp\b/, "php"],
];

export const languageOf = (extension: string): CodeLanguage | undefined => BY_EXTENSION.get(extension);

/** Media type of a source file; undefined if the extension does not belong to a programming language. */
export const codeMime = (extension: string): string | undefined =>
  BY_EXTENSION.get(extension)?.mime ??
  (Object.hasOwn(PLAIN_CODE, extension) ? PLAIN_CODE[extension] : undefined);

/** File extension for the interpreter in a script's first line. */
export function extensionOfShebang(text: string): string | undefined {
  if (!text.startsWith("#!")) return undefined;
  const line = itemAt(text.slice(0, 200).split("\n", 1), 0);
  return BY_INTERPRETER.find(([pattern]) => pattern.test(line))?.[1];
}
