import type { Node, Tree, TreeCursor } from "web-tree-sitter";
import { itemAt, lastOf } from "../../../base/expect.ts";
import type { CodeLanguage } from "./code-languages.ts";
import { docParagraph, docSentence, firstSentence } from "./doc-comment.ts";
import { exportLine } from "./export-line.ts";

const MAX_DECLARATIONS = 400;
const MAX_VISITED = 100_000;
const MAX_DEPTH = 10;
const MAX_SIGNATURE = 200;
const MAX_COMMENT_NODES = 40;
const FUNCTION_VALUES = new Set(["arrow_function", "function_expression", "function", "generator_function"]);
const COMMENT = /comment/;
const ATTRIBUTE = /attribute|annotation|decorator/;

type Kind = "container" | "member" | "variable" | "prototype" | "wrapper" | "export";

interface Walk {
  readonly language: CodeLanguage;
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly lines: string[];
  visited: number;
}

/** Declarations of a source file. */
export interface Skeleton {
  /** First sentence of the file's or module's doc comment; "" if it has none. */
  readonly description: string;
  /** The whole paragraph with that sentence. */
  readonly paragraph: string;
  /**
   * One line per declaration, `signature — first sentence of its documentation`, indented by two spaces per
   * level.
   */
  readonly outline: string;
}

export function skeleton(tree: Tree, language: CodeLanguage): Skeleton {
  const walk: Walk = { language, kinds: kindsOf(language), lines: [], visited: 0 };
  const paragraph = fileDescription(tree.rootNode, language);
  const cursor = tree.walk();
  try {
    visitChildren(cursor, walk, 0, 0, undefined);
  } finally {
    cursor.delete();
  }
  const first = walk.lines[0] ?? "";
  const outline = walk.lines.join("\n");
  const description = firstSentence(paragraph);
  // the comment above the first declaration belongs to that declaration
  return description === "" || first.endsWith(` — ${description}`)
    ? { description: "", paragraph: "", outline }
    : { description, paragraph, outline };
}

function kindsOf(language: CodeLanguage): Walk["kinds"] {
  const kinds: Map<string, Kind> = new Map();
  for (const type of language.wrappers) kinds.set(type, "wrapper");
  for (const type of language.exports ?? []) kinds.set(type, "export");
  for (const type of language.variables ?? []) kinds.set(type, "variable");
  for (const type of language.prototypes ?? []) kinds.set(type, "prototype");
  for (const type of language.members) kinds.set(type, "member");
  for (const type of language.containers) kinds.set(type, "container");
  return kinds;
}

/**
 * Visits the children of the cursor's node. Comment and modifiers of the wrapper node `outer` belong to the
 * wrapped node.
 */
function visitChildren(
  cursor: TreeCursor,
  walk: Walk,
  level: number,
  depth: number,
  outer: Node | undefined,
): void {
  if (depth > MAX_DEPTH || !cursor.gotoFirstChild()) return;
  do {
    if (++walk.visited > MAX_VISITED || walk.lines.length >= MAX_DECLARATIONS) break;
    const kind = walk.kinds.get(cursor.nodeType);
    if (kind === undefined || !cursor.nodeIsNamed) continue;
    const node = cursor.currentNode;
    if (kind === "export") addExport(walk, node);
    else if (kind === "wrapper") visitWrapper(cursor, walk, level, depth, node, outer);
    else visitDeclaration(cursor, walk, level, depth, node, kind, outer);
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
}

function visitWrapper(
  cursor: TreeCursor,
  walk: Walk,
  level: number,
  depth: number,
  node: Node,
  outer: Node | undefined,
): void {
  const { length } = walk.lines;
  visitChildren(cursor, walk, level, depth + 1, outer ?? node);
  if (node.type === "export_statement" && walk.lines.length === length) addExport(walk, node);
}

function addExport(walk: Walk, node: Node): void {
  const line = exportLine(node);
  if (line !== "") walk.lines.push(line);
}

function visitDeclaration(
  cursor: TreeCursor,
  walk: Walk,
  level: number,
  depth: number,
  node: Node,
  kind: string,
  outer: Node | undefined,
): void {
  const body = bodyOf(node, kind === "variable");
  const exported = outer?.type === "export_statement";
  if (kind === "variable" && !exported && body === undefined) return;
  const signature = signatureOf(node, body, walk.language, exported ? outer : undefined);
  if (kind === "prototype" && !signature.includes("(")) return;
  // the wrapper's comment does not belong to nodes in a block inside it
  const owner = outer && /export|decorated|template|ambient/.test(outer.type) ? outer : node;
  const doc = (walk.language.docstrings ? docstring(body) : "") || commentBefore(owner);
  if (signature !== "") walk.lines.push("  ".repeat(level) + (doc ? `${signature} — ${doc}` : signature));
  if (kind !== "container" || !body) return;
  visitBody(cursor, walk, level + 1, depth + 1, body.id);
}

/** Moves the cursor into the body of its node, if it has one, and visits the declarations there. */
function visitBody(cursor: TreeCursor, walk: Walk, level: number, depth: number, bodyId: number): void {
  if (!cursor.gotoFirstChild()) return;
  do {
    if (cursor.currentNode.id !== bodyId) continue;
    visitChildren(cursor, walk, level, depth, undefined);
    break;
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
}

function bodyOf(node: Node, variable: boolean): Node | undefined {
  if (!variable)
    return (
      node.childForFieldName("body") ??
      node.namedChildren.find((child) => /(?:_body|declaration_list|^block)$/.test(child.type))
    );
  for (const declarator of node.namedChildren) {
    const value = declarator.childForFieldName("value");
    if (value && FUNCTION_VALUES.has(value.type)) return value.childForFieldName("body") ?? undefined;
  }
  return undefined;
}

function signatureOf(
  node: Node,
  body: Node | undefined,
  language: CodeLanguage,
  outer: Node | undefined,
): string {
  const text = (outer ?? node).text;
  const start = (outer ?? node).startIndex;
  const head = language.signatureIsLine
    ? itemAt(text.split("\n", 1), 0)
    : body
      ? text.slice(0, body.startIndex - start)
      : text;
  // in Python a comment may stand between the signature and the body
  const comment = language.docstrings ? head.search(/:\s*#/) : -1;
  const line = head
    .slice(0, Math.min(MAX_SIGNATURE * 4, comment < 0 ? head.length : comment))
    .replace(/\s+/g, " ")
    .trim();
  const bare = line.replace(/\s*(?:=>|[{:;=])?\s*$/, "");
  return bare.length > MAX_SIGNATURE ? `${bare.slice(0, MAX_SIGNATURE - 1).trimEnd()}…` : bare;
}

function docstring(body: Node | undefined): string {
  const first = body?.namedChild(0);
  const string = first?.type === "expression_statement" ? first.namedChild(0) : first;
  return string?.type === "string" ? docSentence(string.text) : "";
}

/** The comment that ends on the line before a declaration; attributes in between are skipped. */
function commentBefore(node: Node): string {
  const lines: string[] = [];
  let next = node;
  for (let i = 0; i < MAX_COMMENT_NODES; i++) {
    const before = next.previousNamedSibling;
    // some grammars include the line break in a line comment, so that it ends on the next row at column 0
    if (!before || next.startPosition.row - before.endPosition.row > 1) break;
    if (COMMENT.test(before.type)) lines.unshift(before.text.slice(0, 2000).trimEnd());
    else if (!ATTRIBUTE.test(before.type)) break;
    next = before;
  }
  return docSentence(lines.join("\n"));
}

/** Nodes that may stand before the comment that describes a file: include guards, directives, imports. */
const PREAMBLE =
  /^(?:php_tag|hash_bang_line|preproc_(?:def|include|call)|identifier|package_clause|(?:inner_)?attribute_item)$/;

/** The paragraph of the comment or docstring that describes the file. */
function fileDescription(root: Node, language: CodeLanguage): string {
  // a blank line or the end of a block separates comments: a licence, then the description
  const groups: string[][] = [];
  let end = -2;
  let next = root.namedChild(0);
  for (let i = 0; next && i < MAX_COMMENT_NODES; i++) {
    const node: Node = next;
    next = node.nextNamedSibling;
    if (language.docstrings && node.type === "expression_statement" && node.namedChild(0)?.type === "string")
      return docParagraph(node.text);
    if (COMMENT.test(node.type)) {
      const isApart = node.startPosition.row - end > 1 || node.text.startsWith("/*");
      if (isApart || groups.length === 0) groups.push([]);
      // some grammars include the line break in a line comment
      lastOf(groups).push(node.text.slice(0, 2000).trimEnd());
      end = node.endPosition.row;
    } else if (/^preproc_(?:def|function_def)$/.test(node.type) && node.startPosition.row - end <= 1) {
      // the comment belongs to the macro
      groups.pop();
    } else if (node.type === "preproc_ifdef") next = node.namedChild(0);
    else if (!PREAMBLE.test(node.type) && !/^["']use \w+["'];?$/.test(node.text.slice(0, 20))) break;
  }
  for (const comments of groups) {
    const said = docParagraph(comments.join("\n"));
    if (said !== "") return said;
  }
  return "";
}
