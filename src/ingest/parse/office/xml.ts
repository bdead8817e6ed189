import { DOMParser } from "linkedom";
import { Unreadable } from "../unreadable.ts";

/** Maximum depth, because the functions below are recursive; no real document is nested deeper. */
const MAX_DEPTH = 256;

export interface XmlElement extends XmlNode {
  readonly tagName: string;
  readonly childNodes: Iterable<XmlNode>;
  readonly children: Iterable<XmlElement>;
  getAttribute(name: string): string | null;
}

export interface XmlNode {
  readonly nodeType: number;
  readonly textContent: string;
}

/**
 * Parses an XML part and returns its root; an empty element for "". Fetches nothing and ignores entity
 * definitions: only tags, text and XML's five predefined entities are read.
 */
export function xmlRoot(text: string): XmlElement {
  const document = new DOMParser().parseFromString(text, "text/xml");
  const root = document.documentElement as unknown as XmlElement | null;
  if (!root) throw new Unreadable("one of its parts is not XML");
  checkDepth(root);
  return root;
}

function checkDepth(root: XmlElement): void {
  const pending: [XmlElement, number][] = [[root, 0]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [element, depth] = next;
    if (depth > MAX_DEPTH) throw new Unreadable("it is nested too deeply");
    for (const child of element.children) pending.push([child, depth + 1]);
  }
}

/** All elements with a qualified name such as `a:t`, in order, excluding `root`. */
export function* elementsOf(root: XmlElement, ...names: readonly string[]): Generator<XmlElement> {
  for (const child of root.children) {
    if (names.includes(child.tagName)) yield child;
    yield* elementsOf(child, ...names);
  }
}

/** Like elementsOf, without those inside of another one of the same name. */
export function* outermostOf(root: XmlElement, name: string): Generator<XmlElement> {
  for (const child of root.children) {
    if (child.tagName === name) yield child;
    else yield* outermostOf(child, name);
  }
}

export function firstOf(root: XmlElement, name: string): XmlElement | undefined {
  for (const found of elementsOf(root, name)) return found;
  return undefined;
}

/** The text of the first element with this name. */
export const textOfFirst = (root: XmlElement | undefined, name: string): string =>
  (root && firstOf(root, name)?.textContent.trim()) ?? "";

export const isElement = (node: XmlNode): node is XmlElement => node.nodeType === 1;
