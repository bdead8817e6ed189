import { append } from "../../../base/append.ts";
/** A node of a Markdown syntax tree (mdast), reduced to the fields in use. */
export interface MarkdownNode {
  readonly type: string;
  value?: string;
  url?: string;
  children?: MarkdownNode[];
}

const MARKS = new Set(["emphasis", "strong", "delete"]);
const WORD = /[\p{L}\p{N}]/u;

/**
 * A plugin between the HTML converter and the Markdown writer. The writer would escape white space and
 * emphasis that Markdown cannot express as character references, which no search finds. The plugin therefore
 * moves white space out of emphasis and drops emphasis inside words. Anchors without a target become plain
 * text.
 */
export const tidyMarkdown = () => tidy;

function tidy(node: MarkdownNode): void {
  if (node.type === "text") node.value = node.value?.replace(/\s+/g, " ") ?? "";
  if (!node.children) return;
  for (const child of node.children) tidy(child);
  node.children = withoutInnerMarks(joined(node.children.flatMap(withoutAnchors).flatMap(withSpaceOutside)));
}

const textNode = (value: string): MarkdownNode => ({ type: "text", value });

const withoutAnchors = (node: MarkdownNode): MarkdownNode[] =>
  node.type === "link" && (!node.url || node.children?.length === 0) ? (node.children ?? []) : [node];

/** Moves white space at the ends of emphasis outside; drops empty emphasis. */
function withSpaceOutside(node: MarkdownNode): MarkdownNode[] {
  if (!MARKS.has(node.type) || !node.children) return [node];
  const [first, last] = [node.children[0], node.children.at(-1)];
  const begins = first?.type === "text" && first.value?.startsWith(" ") === true;
  if (begins) first.value = first.value?.trimStart();
  const ends = last?.type === "text" && last.value?.endsWith(" ") === true;
  if (ends) last.value = last.value?.trimEnd();
  node.children = node.children.filter(({ type, value }) => type !== "text" || value !== "");
  return [
    ...(begins ? [textNode(" ")] : []),
    ...(node.children.length > 0 ? [node] : []),
    ...(ends ? [textNode(" ")] : []),
  ];
}

/** Joins adjacent nodes of the same type. */
function joined(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  const found: MarkdownNode[] = [];
  for (const node of nodes) {
    const last = found.at(-1);
    if (last?.type === "text" && node.type === "text") last.value = `${last.value ?? ""}${node.value ?? ""}`;
    else if (last?.children && node.children && last.type === node.type && MARKS.has(node.type))
      append(last.children, node.children);
    else found.push(node);
  }
  return found;
}

function withoutInnerMarks(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  const isInWord = (node: MarkdownNode, i: number) =>
    MARKS.has(node.type) &&
    ((WORD.test(edge(nodes[i - 1], -1)) && WORD.test(edge(node, 0))) ||
      (WORD.test(edge(node, -1)) && WORD.test(edge(nodes[i + 1], 0))));
  return joined(nodes.flatMap((node, i) => (isInWord(node, i) ? unmarked(node) : [node])));
}

const unmarked = (node: MarkdownNode): MarkdownNode[] =>
  (node.children ?? []).flatMap((child) =>
    MARKS.has(child.type) && child.children ? unmarked(child) : [child],
  );

/** The first or last visible character of a node. */
function edge(node: MarkdownNode | undefined, at: 0 | -1): string {
  if (!node) return "";
  return node.children
    ? edge(node.children.at(at), at)
    : ([...(node.value ?? "").slice(...(at === 0 ? [0, 2] : [-2]))].at(at) ?? "");
}
