import type { MarkdownRenderer } from "vitepress";
import { resolveLink } from "./pages.ts";

/** Turns links between files of the checkout into links of the site, and diagrams into a component that draws them. */
export function useRepositoryLinks(md: MarkdownRenderer): void {
  md.core.ruler.push("repository-links", ({ tokens, env }) => {
    const page: string = env.realPath ?? env.path;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const link = token.type === "link_open" ? token.attrGet("href") : null;
      if (link !== null) token.attrSet("href", resolveLink(page, link));
    }
  });
}

/** Hands blocks of Mermaid over to the component of theme/mermaid.ts. */
export function useDiagrams(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    if (token?.info.trim() === "mermaid") return `<Mermaid source="${encodeURIComponent(token.content)}" />`;
    return fence?.(tokens, index, ...rest) ?? "";
  };
}
