import { estimateTokens } from "../../src/domain/text/tokens.ts";

/** Documents with more estimated tokens get a folder of sections next to them. */
const LONG_TOKENS = 1000;

/** Expected nodes by URI: the content of a file, undefined for a directory. */
export type Nodes = ReadonlyMap<string, string | undefined>;

/** What was found: the size and, if it was read, the content. */
export type Found = ReadonlyMap<
  string,
  { readonly isDirectory: boolean; readonly size: number; readonly content?: string }
>;

export const parentOf = (uri: string): string => uri.slice(0, uri.lastIndexOf("/"));
export const isBelow = (uri: string, directory: string): boolean => uri.startsWith(`${directory}/`);

/** The folder for a file's sections. File names are never reused, so no other file has this folder. */
export const sectionsOf = (uri: string): string => uri.replace(/\.[a-z]+$/, "");

export const isLong = (content: string): boolean => estimateTokens(content) > LONG_TOKENS;

/** Adds a file and its missing parent directories. */
export function put(nodes: Nodes, uri: string, content: string | undefined): Nodes {
  const next = new Map(nodes).set(uri, content);
  for (let above = parentOf(uri); !next.has(above) && !above.endsWith("/"); above = parentOf(above))
    next.set(above, undefined);
  return next;
}

/** Removes a node and everything below it. */
export function remove(nodes: Nodes, uri: string): Nodes {
  return new Map([...nodes].filter(([known]) => known !== uri && !isBelow(known, uri)));
}

export function copy(nodes: Nodes, from: string, to: string): Nodes {
  let next = nodes;
  for (const [known, content] of nodes)
    if (known === from || isBelow(known, from)) next = put(next, `${to}${known.slice(from.length)}`, content);
  return next;
}

export function move(nodes: Nodes, from: string, to: string): Nodes {
  const moved = [...nodes].filter(([known]) => known === from || isBelow(known, from));
  let next = remove(remove(nodes, from), to);
  for (const [known, content] of moved) next = put(next, `${to}${known.slice(from.length)}`, content);
  return next;
}

/**
 * Returns the differences between the expected and the actual state, byte for byte. Sections must exist but
 * may have any content.
 */
export function differences(expected: Nodes, found: Found): string[] {
  const said: string[] = [];
  const sections = new Set<string>();
  for (const [uri, content] of expected) {
    const there = found.get(uri);
    if (content !== undefined && isLong(content)) sections.add(sectionsOf(uri));
    if (!there) said.push(`missing ${uri}`);
    else if (there.isDirectory !== (content === undefined))
      said.push(`${uri} is a ${there.isDirectory ? "directory" : "file"}`);
    else if (content === undefined) continue;
    else if (there.size !== Buffer.byteLength(content))
      said.push(`${uri} has ${there.size} bytes, not ${Buffer.byteLength(content)}`);
    else if (there.content !== undefined && there.content !== content)
      said.push(`${uri} has another content of the same length`);
  }
  for (const directory of sections) if (!found.has(directory)) said.push(`missing sections ${directory}`);
  for (const uri of found.keys())
    if (!expected.has(uri) && !isDerived(uri, sections)) said.push(`nobody asked for ${uri}`);
  return said;
}

function isDerived(uri: string, sections: ReadonlySet<string>): boolean {
  for (let above = uri; above.includes("://") && !above.endsWith("/"); above = parentOf(above))
    if (sections.has(above)) return true;
  return false;
}
