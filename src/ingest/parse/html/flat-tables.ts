import type { MarkdownNode } from "../markdown/tidy-markdown.ts";

const PHRASING = new Set(["text", "emphasis", "strong", "delete", "inlineCode", "link", "image"]);
const BETWEEN_ITEMS = "; ";

/**
 * A plugin between the HTML converter and the Markdown writer. A Markdown cell is one line, but an HTML cell
 * may contain anything; a code fence or list in a row would end the table and invert all later fences. Short
 * blocks are joined into the line. A table with multi-line code, nested tables, or a single column of blocks
 * is written as a sequence of cells, each labelled with its column.
 */
export const flatTables = () => flatten;

function flatten(node: MarkdownNode): void {
  if (!node.children) return;
  for (const child of node.children) flatten(child);
  node.children = node.children.flatMap((child) => (child.type === "table" ? flat(child) : [child]));
}

function flat(table: MarkdownNode): MarkdownNode[] {
  const rows = withHead(childrenOf(table));
  const cells = rows.flatMap(childrenOf);
  const isLayout =
    rows.every((row) => childrenOf(row).length <= 1) && cells.some((cell) => childrenOf(cell).some(isBlock));
  if (isLayout || cells.some((cell) => childrenOf(cell).some(needsLines))) return asBlocks(rows);
  for (const cell of cells) cell.children = trimmed(inLine(childrenOf(cell)));
  table.children = rows;
  return [table];
}

/** Uses the first row as the header if the converter has added an empty one. */
function withHead(rows: MarkdownNode[]): MarkdownNode[] {
  const [head, ...others] = rows;
  return head !== undefined &&
    others.length > 0 &&
    childrenOf(head).every((cell) => childrenOf(cell).length === 0)
    ? others
    : rows;
}

const childrenOf = ({ children }: MarkdownNode): MarkdownNode[] => children ?? [];

const isBlock = ({ type }: MarkdownNode): boolean =>
  type !== "paragraph" && type !== "break" && !PHRASING.has(type);

function needsLines(node: MarkdownNode): boolean {
  if (node.type === "code") return (node.value ?? "").includes("\n");
  return node.type === "table" || childrenOf(node).some(needsLines);
}

const text = (value: string): MarkdownNode => ({ type: "text", value });
const paragraph = (children: MarkdownNode[]): MarkdownNode => ({ type: "paragraph", children });

/** Converts cell content to inline nodes. */
function inLine(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  return nodes.flatMap((node) => {
    if (PHRASING.has(node.type)) return [node];
    if (node.type === "code") return [{ type: "inlineCode", value: (node.value ?? "").trim() }, text(" ")];
    if (node.type === "list") {
      const items = childrenOf(node).map((item) => trimmed(inLine(childrenOf(item))));
      return [...items.flatMap((item, i) => (i === 0 ? item : [text(BETWEEN_ITEMS), ...item])), text(" ")];
    }
    // a paragraph, heading, quotation or line break
    return [...inLine(childrenOf(node)), text(" ")];
  });
}

function trimmed(nodes: MarkdownNode[]): MarkdownNode[] {
  const last = nodes.at(-1);
  if (last?.type === "text") last.value = last.value?.trimEnd() ?? "";
  return last?.value === "" ? nodes.slice(0, -1) : nodes;
}

/** Writes the cells of all rows as blocks. The first row names the columns. */
function asBlocks([head, ...rows]: readonly MarkdownNode[]): MarkdownNode[] {
  const columns = head === undefined ? [] : childrenOf(head);
  const names = columns.map((cell) => shown(cell).trim());
  // a header with only one column, or with blocks, is content
  const isHead = names.length > 1 && names.every((name) => name !== "") && !columns.some(needsLines);
  const content = isHead || head === undefined ? rows : [head, ...rows];
  return content.flatMap((row) =>
    childrenOf(row).flatMap((cell, column) => {
      const blocks = blocksOf(childrenOf(cell));
      return isHead && blocks.length > 0 ? named(names[column] ?? "", blocks) : blocks;
    }),
  );
}

/** Wraps runs of inline nodes between blocks into paragraphs. */
function blocksOf(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  const blocks: MarkdownNode[] = [];
  let isRun = false;
  for (const node of nodes) {
    const isPhrase = PHRASING.has(node.type) || node.type === "break";
    const last = blocks.at(-1);
    if (isPhrase && isRun && last) last.children?.push(node);
    else blocks.push(isPhrase ? paragraph([node]) : node);
    isRun = isPhrase;
  }
  return blocks.filter(
    (block) => block.type !== "paragraph" || shown(block).trim() !== "" || holdsImage(block),
  );
}

function named(name: string, [first, ...rest]: readonly MarkdownNode[]): MarkdownNode[] {
  const label = name.endsWith(":") ? name : `${name}:`;
  if (first?.type === "paragraph") return [paragraph([text(`${label} `), ...childrenOf(first)]), ...rest];
  return [paragraph([text(label)]), ...(first ? [first] : []), ...rest];
}

const holdsImage = (node: MarkdownNode): boolean =>
  childrenOf(node).some((child) => child.type === "image" || holdsImage(child));

const shown = (node: MarkdownNode): string => node.value ?? childrenOf(node).map(shown).join("");
