import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { getOption, hasOption } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { headingId } from "../../docs/.vitepress/headings.ts";
import { http } from "../../gen/google/api/annotations_pb.ts";
import { CLIENT_VARIABLES } from "../../src/base/client-variables.ts";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { EXIT } from "../../src/cli/exit-code.ts";
import { settings } from "../../src/config/settings.ts";
import { SKIPPED_DIRECTORIES } from "../../src/ingest/import-filter.ts";
import { SERVICES } from "../../src/transport/services.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/**
 * The tables of operations in docs/api.md: one row per method, and whether the row or its heading says that
 * it answers 501.
 */
function documented(): { readonly service: string; readonly row: string; readonly marked: boolean }[] {
  let heading = "";
  return read("docs/api.md")
    .split("\n")
    .flatMap((row) => {
      if (row.startsWith("#")) heading = row;
      if (!/^\| [`–]/.test(row)) return [];
      return [{ service: heading, row, marked: /\*501\*/.test(heading + row) }];
    });
}

const methods = SERVICES.flatMap((service) => service.methods);

/**
 * Whether a table in transport/operations registers the method; unregistered methods answer UNIMPLEMENTED.
 */
function isServed(service: string, method: string): boolean {
  const table = join(ROOT, "src/transport/operations", `${service.replace(/Service$/, "").toLowerCase()}.ts`);
  return existsSync(table) && new RegExp(`\\bmethod\\.${method}\\b`).test(readFileSync(table, "utf8"));
}

describe("docs/api.md", () => {
  it.each(methods)("docs/api.md describes the operation $parent.name.$name", (method) => {
    const rows = documented().filter(
      ({ service, row }) =>
        service.includes(`\`${method.parent.name}\``) && row.includes(`\`${method.name}\``),
    );
    expect(rows).toHaveLength(1);
    const rule = getOption(method, http);
    for (const { pattern } of hasOption(method, http) ? [rule, ...rule.additionalBindings] : []) {
      const route = `${String(pattern.case).toUpperCase()} ${String(pattern.value)}`;
      expect(rows[0]!.row).toContain(`\`${route}\``);
    }
    expect(rows[0]!.marked, "marked as answering 501").toBe(!isServed(method.parent.name, method.localName));
  });
});

describe("the list of what an import skips", () => {
  it("docs/api.md lists the folders that an import skips", () => {
    const line = /^- folders called (.*);$/m.exec(read("docs/api.md"))?.[1] ?? "";
    expect(line.replaceAll("`", "").split(", ")).toEqual([...SKIPPED_DIRECTORIES]);
  });
});

const variables: readonly string[] = Object.values(CLIENT_VARIABLES);

describe("docs/cli.md", () => {
  it.each(COMMANDS)("docs/cli.md describes the command $name", ({ name }) => {
    expect(read("docs/cli.md")).toMatch(new RegExp(`^\\|[^|]*\`(admin )?${name}\\b`, "m"));
  });

  it.each(variables)("docs/cli.md describes the variable %s", (name) =>
    expect(read("docs/cli.md")).toContain(`\`${name}\``),
  );

  it("docs/cli.md lists the exit codes", () => {
    const listed = [...read("docs/cli.md").matchAll(/^\| (\d+) \|/gm)].map((row) => Number(row[1]));
    expect(listed).toEqual(Object.values(EXIT));
  });
});

describe("docs/settings.md", () => {
  it.each(Object.keys(settings.shape))("docs/settings.md describes the setting %s", (name) => {
    expect(read("docs/settings.md")).toMatch(new RegExp(`^\\|[^|]*\`${name}\``, "m"));
  });

  it("docs/settings.md names only settings that exist", () => {
    const named = read("docs/settings.md").match(/`CTXDB_[A-Z_]+\b/g) ?? [];
    expect(
      named
        .map((name) => name.slice(1))
        .filter((name) => name !== "CTXDB_" && !(name in settings.shape) && !variables.includes(name)),
    ).toEqual([]);
  });
});

describe("docs/architecture.md", () => {
  const page = read("docs/architecture.md");
  const ENDING = /\.(?:ts|tsx|mjs|proto|py|go|rs|java|sh|json|md|wat)$/;
  const BUILT = /^(?:node_modules|dist|target|gen|\.venv|\.git)$/;
  /** Names in backticks that look like a file or folder. */
  const named = (text: string): string[] =>
    [...text.matchAll(/`([^`\s]+)`/g)]
      .map(([, name = ""]) => name)
      .filter(
        (name) => (ENDING.test(name) || name.endsWith("/")) && !/^(?:w|a|au|k|q|s|m|ctx:)\//.test(name),
      );
  const exists = (name: string): boolean =>
    existsSync(join(ROOT, name)) || existsSync(join(ROOT, "src", name));
  const filesBelow = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (!entry.isDirectory()) return [path];
      return BUILT.test(entry.name) ? [] : [`${path}/`, ...filesBelow(path)];
    });

  it('whole paths in the section "What is where" of docs/architecture.md exist', () => {
    const section = page.slice(page.indexOf("\n## What is where"), page.indexOf("\n## Keys"));
    // a folder that a table has named is shortened to …, and a part that stands for any name is in <>
    const whole = named(section).filter((name) => name.includes("/") && !name.startsWith("…"));
    expect(whole.length).toBeGreaterThan(100);
    const fixed = whole.map((name) => name.replace(/[^/]*<.*/, ""));
    expect(fixed.filter((name) => !exists(name))).toEqual([]);
  });

  it("files that docs/architecture.md lists after a folder exist in that folder", () => {
    const inFolders = [...page.matchAll(/`([^`<\s]+\/)`: ([^|]*) \|$/gm)].flatMap(
      ([, folder = "", files = ""]) => named(files).map((file) => `${folder}${file}`),
    );
    expect(inFolders.length).toBeGreaterThan(100);
    expect(inFolders.filter((name) => !exists(name))).toEqual([]);
  });

  it("docs/architecture.md names only files and folders that exist", () => {
    const all = ["src", "clients", "adapters", "plugins", "scripts", "test", "docs", "proto"].flatMap(
      filesBelow,
    );
    const ends = named(page).filter((name) => !/[<{*]/.test(name));
    const gone = ends.filter((name) => {
      const end = `/${name.replace(/^…\//, "")}`;
      return !exists(name) && !all.some((path) => path.endsWith(end));
    });
    expect(gone).toEqual([]);
  });

  it("docs/architecture.md names only settings that exist", () => {
    const settingsNamed = [...page.matchAll(/`(CTXDB_[A-Z_]+)`/g)].map(([, name = ""]) => name);
    expect(settingsNamed.filter((name) => !(name in settings.shape))).toEqual([]);
  });
});

describe("JSON that the guides print", () => {
  const pages = [
    "README.md",
    ...readdirSync(join(ROOT, "docs")).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : [])),
  ];
  const blocks = pages.flatMap((page) =>
    [...read(page).matchAll(/^```json\n(.*?)^```$/gms)].map((block) => [page, block[1] ?? ""]),
  );

  it.each(blocks)("the JSON that the guides print can be parsed: %s", (_, block) =>
    expect(() => JSON.parse(block)).not.toThrow(),
  );
});

describe("links between the documents", () => {
  const folders = ["docs", "clients"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => /(^|\/)[^/.]+\.md$/.test(path) && !/node_modules|target|\.venv/.test(path))
      .map((path) => join(folder, path)),
  );
  const pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...folders];
  const withoutCode = (page: string) => read(page).replaceAll(/^```.*?^```$/gms, "");

  /** Returns the ids of a page's headings, as generated by GitHub and the site. */
  function headingsOf(page: string): Set<string> {
    const ids = new Set<string>();
    for (const [, title] of withoutCode(page).matchAll(/^#+ (.*)$/gm)) {
      const plain = title!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "");
      const id = headingId(plain);
      for (let count = 0; ; count++) {
        const unique = count === 0 ? id : `${id}-${count}`;
        if (!ids.has(unique)) {
          ids.add(unique);
          break;
        }
      }
    }
    return ids;
  }

  it.each(pages)("the page %s links only to files and headings that exist", (page) => {
    const links = [...withoutCode(page).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)];
    const dead = links.filter(([, path = "", heading]) => {
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, target))) return true;
      return heading !== undefined && !headingsOf(target).has(heading);
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  });
});
