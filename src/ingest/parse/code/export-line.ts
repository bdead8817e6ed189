import type { Node } from "web-tree-sitter";

const MAX_READ_LENGTH = 4000;
const MAX_LINE_LENGTH = 600;
/** Maximum number of statements searched for a variable. */
const MAX_STATEMENTS = 50;
/** Above that number of statements none is searched, because finding the previous one takes time. */
const MAX_SIBLINGS = 500;
/** Exports by name or from another module: `export { a }`, `export * from "x"`. */
const EXPORT_LIST = /^export (?:type )?[{*]/;
const DEFAULT = /^export (?:default|=) /;
/** Assignments to the exports of a CommonJS module, as written by hand and by bundlers. */
const ASSIGNMENT =
  /^(?:0 && \()?(?:module\.exports|exports\.[\w$]+)(?: ?= ?(?!exports\.|void 0)|\.[\w$]+ ?= ?)/;
/** Re-exports as bundlers write them for CommonJS. */
const PASSED_ON = /^(?:tslib_\d\.)?__(?:reExport|exportStar)\((?:[\w$]+, )?require\(["']([^"']{1,200})["']\)/;
/** Wrappers of bundlers around the exports. */
const BUNDLED = /^(?:__toCommonJS|__importDefault|void 0|undefined|null|true|false|\d)/;
const KEY_NODES = new Set(["pair", "method_definition", "shorthand_property_identifier"]);

/**
 * The line of an export statement that declares nothing itself: the exported names, or the module whose
 * exports are passed on. "" if it exports nothing, and for any other statement.
 */
export function exportLine(node: Node): string {
  const text = node.text.slice(0, MAX_READ_LENGTH).replace(/\s+/g, " ").trim();
  if (EXPORT_LIST.test(text)) return /\{ ?\}/.test(text) ? "" : cut(text.replace(/;$/, ""));
  const passed = PASSED_ON.exec(text)?.[1];
  if (passed !== undefined) return `export * from "${passed}"`;
  const named = DEFAULT.exec(text) ?? ASSIGNMENT.exec(text);
  if (!named) return "";
  const head = named[0].replace(/^0 && \(/, "").trimEnd();
  const value = text.slice(named[0].length);
  if (value.startsWith("{")) return cut(`${head} { ${keysOf(node).join(", ")} }`);
  if (BUNDLED.test(value)) return "";
  const keys = /^[\w$]+;?$/.test(value) ? keysOfVariable(node, value.replace(";", "")) : [];
  if (keys.length > 0) return cut(`${head} { ${keys.join(", ")} }`);
  const name =
    /^(?:async )?(?:function\*?|class)(?: [\w$]+)?(?: ?\([^()]{0,200}\))?|^[\w$.]+/.exec(value)?.[0] ?? "";
  return cut(`${head} ${name}`.trimEnd());
}

/** The keys of the object that a variable of the same file is initialized with. */
function keysOfVariable(node: Node, name: string): string[] {
  if ((node.parent?.namedChildCount ?? 0) > MAX_SIBLINGS) return [];
  for (
    let next = node.previousNamedSibling, i = 0;
    next && i < MAX_STATEMENTS;
    next = next.previousNamedSibling, i++
  ) {
    const declarator = next.namedChild(0);
    if (declarator?.childForFieldName("name")?.text !== name) continue;
    const value = declarator.childForFieldName("value");
    const object = value?.type === "parenthesized_expression" ? value.namedChild(0) : value;
    return object?.type === "object" ? keysIn(object) : [];
  }
  return [];
}

/** The keys of the first object literal in a statement. */
const keysOf = (node: Node): string[] => keysIn(node.descendantsOfType("object")[0]);

function keysIn(object: Node | null | undefined): string[] {
  return (object?.namedChildren ?? [])
    .filter((child) => KEY_NODES.has(child.type))
    .map(
      (child) => child.childForFieldName("key")?.text ?? child.childForFieldName("name")?.text ?? child.text,
    )
    .filter((key) => key.length <= 80);
}

/** Cuts a list after a whole name. */
const cut = (line: string): string =>
  line.length <= MAX_LINE_LENGTH ? line : `${line.slice(0, line.lastIndexOf(",", MAX_LINE_LENGTH))}, … }`;
