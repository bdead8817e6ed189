import { Link } from "@tanstack/react-router";
import type { Components } from "hast-util-to-jsx-runtime";
import { ImageOff } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { childOf, imageTypeOf, parentOf, ROOT, segmentsOf, visible, visibleText } from "../text/uri.ts";
import { Scroller } from "../ui/scroller.tsx";
import { RenderedText } from "./rendered.tsx";
import { StoredImage } from "./stored-image.tsx";

const FRONT_MATTER = /^---\r?\n([\s\S]{0,20000}?)\r?\n---\r?\n/;

interface MarkdownProps {
  readonly text: string;
  /** The file that contains the text, against which relative addresses are resolved. */
  readonly uri: string;
}

/** Stored Markdown: it runs no scripts, loads nothing external, and navigates only on a click. */
export function Markdown({ text, uri }: MarkdownProps) {
  const [front] = FRONT_MATTER.exec(text) ?? [];
  const body = front === undefined ? text : text.slice(front.length);
  const components = useMemo(() => componentsOf(uri), [uri]);
  return (
    <article className="prose" dir="auto">
      {front !== undefined && (
        <details className="mb-4 rounded-lg border border-line bg-ground px-3 py-2">
          <summary className="text-xs text-soft">Front matter</summary>
          <pre className="mt-2 overflow-x-auto text-xs">{visibleText(front)}</pre>
        </details>
      )}
      <RenderedText request={{ kind: "markdown", text: body }} components={components} />
    </article>
  );
}

/** The node that a link in a file refers to; undefined for a web address. */
function nodeAt(address: string, file: string): string | undefined {
  if (address.startsWith(ROOT)) return address;
  if (/^[a-z][a-z0-9+.-]*:/i.test(address) || address.startsWith("//")) return undefined;
  const path = decoded(address.split(/[?#]/)[0] ?? "");
  const segments = segmentsOf(path.startsWith("/") ? ROOT : parentOf(file));
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return childOf(ROOT, segments.join("/"));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const componentsOf = (file: string): Partial<Components> => ({
  a: ({ href = "", children }) => (
    <Address href={href} file={file}>
      {children}
    </Address>
  ),
  img: ({ src, alt }) => <Picture src={typeof src === "string" ? src : ""} alt={alt ?? ""} file={file} />,
  // shown as text, because a stored task list is read-only
  input: ({ checked }) => <span>{checked ? "☑ " : "☐ "}</span>,
  table: ({ children }) => (
    <Scroller label="Table">
      <table>{children}</table>
    </Scroller>
  ),
  h1: ({ children }) => <h2 className="text-2xl">{children}</h2>,
});

function Address({
  href,
  file,
  children,
}: {
  readonly href: string;
  readonly file: string;
  readonly children?: ReactNode;
}) {
  const node = nodeAt(href, file);
  if (href === "" || href.startsWith("#")) return <span>{children}</span>;
  if (node !== undefined) {
    return (
      <Link to="/explorer" search={{ uri: node }}>
        {children}
      </Link>
    );
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
    </a>
  );
}

function Picture({ src, alt, file }: { readonly src: string; readonly alt: string; readonly file: string }) {
  const node = src === "" ? undefined : nodeAt(src, file);
  const type = node === undefined ? undefined : imageTypeOf(node);
  if (node !== undefined && type !== undefined) return <StoredImage uri={node} type={type} alt={alt} />;
  return (
    <span
      className="inline-flex items-center gap-1.5 rounded border border-line bg-ground px-1.5 text-xs text-soft"
      title={visible(src)}
    >
      <ImageOff className="size-3.5" aria-hidden /> {visible(alt) || "Picture"} (not loaded: it is elsewhere)
    </span>
  );
}
