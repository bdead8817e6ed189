// Parses, sanitizes and highlights stored text outside the page, which terminates this worker if it takes too
// long.
import type { Element, Root } from "hast";
import rehypeHighlight from "rehype-highlight";
import rehypeRaw from "rehype-raw";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import type { RenderAnswer, RenderRequest } from "./render-request.ts";
import { SCHEMA } from "./schema.ts";

/** Largest tree, in nodes and levels, that a page can render at once. */
const MAX_NODES = 40_000;
const MAX_DEPTH = 120;
/** Maximum number of stored pictures, because the page downloads all of them when it shows the text. */
const MAX_PICTURES = 200;

const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize, SCHEMA)
  .use(rehypeHighlight);
const code = unified().use(rehypeHighlight);

const codeTree = (text: string, language: string): Root => ({
  type: "root",
  children: [
    {
      type: "element",
      tagName: "pre",
      properties: {},
      children: [
        {
          type: "element",
          tagName: "code",
          properties: { className: [`language-${language}`] },
          children: [{ type: "text", value: text }],
        },
      ],
    },
  ],
});

/** Why a tree is too large to render; undefined if it is not. */
function excess(root: Root): string | undefined {
  let nodes = 0;
  let pictures = 0;
  let level: readonly unknown[] = root.children;
  for (let depth = 1; level.length > 0; depth++) {
    nodes += level.length;
    if (depth > MAX_DEPTH) return "it is nested too deeply";
    if (nodes > MAX_NODES) return "it has too many parts";
    pictures += level.filter(isStoredPicture).length;
    if (pictures > MAX_PICTURES) return "it has too many pictures";
    level = level.flatMap((node) => (node as { children?: unknown[] }).children ?? []);
  }
  return undefined;
}

/** Pictures of other servers are not loaded. */
function isStoredPicture(node: unknown): boolean {
  const { tagName, properties } = node as Partial<Element>;
  return tagName === "img" && !/^(?:https?:)?\/\//i.test(String(properties?.src));
}

function render(request: RenderRequest): RenderAnswer {
  try {
    const tree =
      request.kind === "markdown"
        ? markdown.runSync(markdown.parse(request.text))
        : (code.runSync(codeTree(request.text, request.language)) as Root);
    const refused = excess(tree);
    return refused === undefined ? { tree } : { refused };
  } catch (thrown) {
    return {
      refused: thrown instanceof RangeError ? "it is nested too deeply" : `it cannot be rendered: ${thrown}`,
    };
  }
}

self.onmessage = ({ data }: MessageEvent<RenderRequest>) => self.postMessage(render(data));
