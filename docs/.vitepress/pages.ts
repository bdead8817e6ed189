import { readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout, where the pages are. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Where links to files that are no page of the site lead. */
const REPOSITORY = process.env.CTXDB_DOCS_REPOSITORY ?? "https://github.com/ctxdb/ctxdb/blob/main";
/** What of the checkout becomes a page; everything else is left out. */
const PAGE = /^(docs\/(?!\.vitepress\/).+|clients\/(\w+\/)?README|README|CHANGELOG|CONTRIBUTING)\.md$/;

/** Pages whose place on the site does not follow from their path. docs/clients.md is the page of the clients there. */
const MOVED: Readonly<Record<string, string>> = {
  "README.md": "start.md",
  "clients/README.md": "clients/scenarios.md",
};

/** Patterns of all folders of the checkout that hold no page. */
export function withoutPages(): string[] {
  const folders = (path: string) =>
    readdirSync(join(ROOT, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(path, name));
  const languages = folders("clients").flatMap((language) => folders(language));
  const others = folders(".").filter((name) => name !== "docs" && name !== "clients");
  return [...others, ...languages, "docs/.vitepress"].map((folder) => `${folder}/**`);
}

/** The path of a page on the site, by its path in the checkout. */
export function sitePath(file: string): string {
  const moved = MOVED[file];
  if (moved !== undefined) return moved;
  return file.replace(/^docs\//, "").replace(/(^|\/)README\.md$/, "$1index.md");
}

/**
 * Where a link of a page leads on the site: to another page, or to the repository.
 * @throws where the target does not exist, so that the build fails
 */
export function resolveLink(page: string, link: string): string {
  if (/^([a-z]+:|#)/i.test(link)) return link;
  const [target = "", ...anchor] = link.split(/(?=#)/);
  const file = relative(ROOT, join(dirname(page), decodeURI(target)));
  const kind = statSync(join(ROOT, file), { throwIfNoEntry: false });
  if (kind === undefined || file.startsWith(".."))
    throw new Error(`${relative(ROOT, page)}: dead link ${link}`);
  const readme = kind.isDirectory() ? join(file, "README.md") : file;
  if (PAGE.test(readme)) return `/${sitePath(readme)}${anchor.join("")}`;
  return `${REPOSITORY}/${file}${anchor.join("")}`;
}
