import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a browser would load from elsewhere by itself. */
const LOADED = /<(?:script|img|iframe|source|link)\b[^>]*\b(?:src|href)="(?:https?:)?\/\/[^"]*"[^>]*>/g;

/**
 * Reads the built pages: every link leads to a page and to a heading that is there, and nothing is loaded from another host.
 * @throws with all faults
 */
export function checkSite(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".html"),
  );
  const pages = new Map(names.map((name) => [`/${name}`, readFileSync(join(folder, name), "utf8")]));
  const ids = new Map(
    [...pages].map(([path, html]) => [
      path,
      new Set([...html.matchAll(/\sid="([^"]*)"/g)].map((id) => id[1])),
    ]),
  );
  const faults = [...pages].flatMap(([path, html]) => {
    const links = [...html.matchAll(/<a\b[^>]*\shref="([^"#]*)(?:#([^"]*))?"/g)].filter(
      ([, target = ""]) => !/^https?:/.test(target),
    );
    const dead = links.filter(([, target = "", id = ""]) => {
      const heads = ids.get(target === "" ? path : target.replace(/\/$/, "/index.html"));
      return heads === undefined || (id !== "" && !heads.has(decodeURIComponent(id)));
    });
    const loaded = html.match(LOADED) ?? [];
    return [
      ...dead.map((link) => `${path}: dead link ${link[1]}#${link[2] ?? ""}`),
      ...loaded.map((tag) => `${path}: loads ${tag}`),
    ];
  });
  if (faults.length > 0) throw new Error(faults.join("\n"));
}
