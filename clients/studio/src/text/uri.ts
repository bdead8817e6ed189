const SCHEME = "ctx://";
/** Bidirectional controls and other invisible characters, which can make a name look like another. */
const INVISIBLE = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

export const ROOT = SCHEME;

/** The segments after the scheme; none for the root. */
export function segmentsOf(uri: string): string[] {
  const path = uri.slice(uri.indexOf("://") + 3);
  return path.split("/").filter((segment) => segment !== "");
}

export function parentOf(uri: string): string {
  const segments = segmentsOf(uri);
  return SCHEME + segments.slice(0, -1).join("/");
}

export const nameOf = (uri: string): string => segmentsOf(uri).at(-1) ?? "ctx://";
export const childOf = (folder: string, name: string): string =>
  folder === ROOT ? ROOT + name : `${folder.replace(/\/+$/, "")}/${name}`;

/** The node of a hit: …/.abstract.md and …/.overview.md stand for their folder. */
export const nodeOf = (uri: string): string => uri.replace(/\/\.(abstract|overview)\.md$/, "");

const character = (found: string): string =>
  `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;

/** A line of untrusted text with invisible characters made visible, except tabs. */
export const visibleLine = (line: string): string =>
  line.replace(INVISIBLE, (found) => (found === "\t" || found === "\r" ? " " : character(found)));

/** Untrusted multi-line text with invisible characters made visible. */
export const visibleText = (text: string): string => text.split("\n").map(visibleLine).join("\n");

/** An untrusted name with control and bidirectional characters made visible. */
export const visible = (text: string): string => text.replace(INVISIBLE, character);

export const extensionOf = (uri: string): string =>
  /\.([a-z0-9]+)$/i.exec(nameOf(uri))?.[1]?.toLowerCase() ?? "";

const MARKDOWN = new Set(["md", "markdown", "mdx"]);
const IMAGES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
};

export const isMarkdown = (uri: string): boolean => MARKDOWN.has(extensionOf(uri));
/** Media type of a file that can be shown as an image; undefined for others. */
export const imageTypeOf = (uri: string): string | undefined => IMAGES[extensionOf(uri)];
