import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { checkSite } from "./check-site.ts";
import { headingId } from "./headings.ts";
import { useDiagrams, useRepositoryLinks } from "./links.ts";
import { sitePath, withoutPages } from "./pages.ts";
import { sidebar } from "./sidebar.ts";

const icon = readFileSync(new URL("../../clients/studio/public/icon.svg", import.meta.url), "utf8");

export default defineConfig({
  title: "ctxdb",
  description: "The context database for AI agents",
  srcDir: "..",
  srcExclude: withoutPages(),
  outDir: "../dist/site",
  cacheDir: "../node_modules/.cache/vitepress",
  rewrites: sitePath,
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  metaChunk: true,
  markdown: {
    anchor: { slugify: headingId },
    config(md) {
      useRepositoryLinks(md);
      useDiagrams(md);
    },
  },
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  buildEnd: ({ outDir }) => checkSite(outDir),
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    nav: [
      { text: "Why", link: "/why" },
      { text: "Start", link: "/start" },
      { text: "Tutorial", link: "/tutorial" },
      { text: "Operations", link: "/operations" },
      { text: "Reference", link: "/reference/" },
    ],
  },
});
