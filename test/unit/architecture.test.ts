import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CRUISER = join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
const RULES = join(ROOT, ".dependency-cruiser.mjs");
const MAX_REPORT_BYTES = 64 * 1024 * 1024;
const MAX_LINES = 400;
const MAX_FILES = 25;
/** Number of unchecked type assertions in src. Lower the numbers when one is removed. */
const MAX_NON_NULL = 148;
const MAX_CASTS = 99;

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
  readonly to: string;
}

/** Runs the dependency rules on `src` in `folder`. */
function cruise(folder: string): Promise<Violation[]> {
  const args = [CRUISER, "--config", RULES, "--output-type", "json", "src"];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: MAX_REPORT_BYTES }, (error, stdout) => {
      if (!stdout) reject(error ?? new Error("no report"));
      else resolve((JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations);
    });
  });
}

const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => path.replaceAll("\\", "/"))
  .sort();

const read = (path: string): string => readFileSync(join(ROOT, "src", path), "utf8");

/**
 * Returns `src/…:line: text` for every matching line of code (without comments), except in files that `place`
 * names.
 */
function found(pattern: RegExp, place: RegExp): string[] {
  return sources
    .filter((path) => !place.test(path))
    .flatMap((path) =>
      read(path)
        .split("\n")
        .map((line, at) => ({ line: line.replace(/^\s*(\/\/|\/?\*).*|\s\/\/ .*$/, ""), at }))
        .filter(({ line }) => pattern.test(line))
        .map(({ line, at }) => `src/${path}:${at + 1}: ${line.trim()}`),
    );
}

describe("the product", () => {
  it("imports in src follow the rules of the layers", { timeout: 120_000 }, async () => {
    const violations = await cruise(ROOT);
    expect(violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
  });

  it("process.env is read in only one file of the server and one of the command line", () => {
    expect(found(/\bprocess\.env\b/, /^(config\/env|cli\/(\w+-)?main)\.ts$/)).toEqual([]);
  });

  it("time and randomness are parameters outside the outer layers", () => {
    const place = /^(base\/|config\/|transport\/|app\/|main\.ts$)/;
    expect(found(/\bDate\.now\b|\bMath\.random\b|\bnew Date\(\s*\)/, place)).toEqual([]);
  });

  it("no code spreads a long list into a function's arguments, which would overflow the stack", () => {
    const spread = /\.(?:push|unshift)\([^()[{]*\.\.\.|Math\.(?:min|max)\([^()]*\.\.\./;
    // queues, transitions between two characters, kinds of context, samples of a day, columns of a terminal,
    // segments
    const few =
      /^(?:jobs\/|config\/root-key|ingest\/parse\/pdf\/blocks|service\/search\/recall\.|service\/observer\/metric-sample|retrieve\/ranking\/agreement|cli\/terminal\/columns|index\/compaction)/;
    expect(found(spread, few)).toEqual([]);
  });

  it("numbers of workspaces and nodes have branded types", () => {
    const bare = /\b(?:account|workspace|incarnation|userIncarnation)\??: number\b/;
    const node = /\b(?:node|directory|session)\??: number\b/;
    expect(found(bare, /^base\//)).toEqual([]);
    // positions in table columns
    expect(
      found(
        node,
        /^(?:(?:base|index|retrieve\/ranking)\/|workspace\/(?:workspace-parts|tree\/node-table|verify\/tree)\.ts)/,
      ),
    ).toEqual([]);
  });

  it("account names have a branded type, except in requests, responses and the command line", () => {
    const outer =
      /^(?:cli\/|transport\/(?:identity|pipeline\/pipeline)|accounts\/authenticate|domain\/permission|service\/system\/get-status|service\/observer\/list-audit|server\/restore-folder)/;
    expect(found(/\baccount\??: string\b/, outer)).toEqual([]);
  });

  it("src has no more non-null assertions and casts than before", { timeout: 120_000 }, () => {
    let [nonNull, casts] = [0, 0];
    const count = (node: ts.Node): void => {
      if (ts.isNonNullExpression(node)) nonNull++;
      if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) casts++;
      ts.forEachChild(node, count);
    };
    for (const path of sources) count(ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest));
    expect(nonNull).toBeLessThanOrEqual(MAX_NON_NULL);
    expect(casts).toBeLessThanOrEqual(MAX_CASTS);
  });

  it("no file of src has more than 400 lines", () => {
    const lengths = sources.map((path) => ({ path, lines: read(path).trimEnd().split("\n").length }));
    expect(lengths.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
  });

  it("files in src have kebab-case names that describe their content", () => {
    const names = sources.map((path) => basename(path).replace(/(\.d)?\.ts$/, ""));
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
    expect(
      names.filter((name) => /^(utils?|helpers?|types|common|constants|misc|shared)$/.test(name)),
    ).toEqual([]);
  });

  it("exported types of src have names of their own", () => {
    const names = sources.flatMap((path) =>
      [...read(path).matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm)].map(
        ([, name]) => name,
      ),
    );
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it("no folder of src has more than 25 files", () => {
    const counts = new Map<string, number>();
    for (const path of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([]);
  });

  it("files of src export by name, and only what they define", () => {
    expect(found(/^\s*export default\b|^\s*export (type )?(\*|\{[^}]*\}) from\b/, /^$/)).toEqual([]);
  });
});

/** Files that contain tests, including contract suites and Studio's. */
const TEST_FOLDERS = ["test", "clients/typescript/test", "adapters/js"];
const MIN_TITLE_WORDS = 4;
/** A title with this beginning lacks its subject: it is in a `describe`, or nowhere. */
const WITHOUT_SUBJECT =
  /^(?:is|are|was|were|has|have|does|do|can|cannot|may|must|will|never|keeps?|gives?|returns?|refuses?|rejects?|takes?|makes?|says?|tells?|shows?|leaves?|lets?|goes|puts?|asks?|waits?|begins?|stays?|knows?|sends?|carries|holds?|gets?|loses?|adds?|survives?|belongs?|becomes?|follows?|serves?|accepts?|fails?|throws?|reads|ends|of|that|whose|as|in|on|with|so|into)\b/;
/** Matches `${name}` in templates, and `$name` and `%s` in `it.each`. */
const FILLED_IN = /\$\{[^}]+\}|\$[\w.]+|%[a-zA-Z#]/g;
const EMPTY_WORDS = /\b(?:should|works|correctly|properly)\b/;

const testFiles = TEST_FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules"))
    .map((path) => join(folder, path)),
);

/** Returns the first name in `it`, `it.skip`, `it.each(…)`. */
function calleeName(call: ts.Expression): string {
  if (ts.isIdentifier(call)) return call.text;
  return ts.isCallExpression(call) || ts.isPropertyAccessExpression(call) ? calleeName(call.expression) : "";
}

/** Returns the titles in calls of `it` and `test` in a file, with `…` for inserted values. */
function titlesIn(text: string): string[] {
  const file = ts.createSourceFile("test.ts", text, ts.ScriptTarget.Latest);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(?:it|test)$/.test(calleeName(node.expression))) {
      const [title] = node.arguments;
      if (title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
        titles.push(title.getText(file).slice(1, -1).replace(FILLED_IN, "…"));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return titles;
}

function isFaultyTitle(title: string): boolean {
  return (
    title.split(/\s+/).length < MIN_TITLE_WORDS || WITHOUT_SUBJECT.test(title) || EMPTY_WORDS.test(title)
  );
}

describe("the titles of tests", () => {
  it("every test title has a subject and states what is expected", () => {
    const faulty = testFiles.flatMap((path) => {
      const text = readFileSync(join(ROOT, path), "utf8");
      const titles = text.includes('from "vitest"') ? titlesIn(text) : [];
      return titles.filter(isFaultyTitle).map((title) => `${path}: ${title}`);
    });
    expect(faulty).toEqual([]);
  });

  it("a test title without a subject, with too few words or with empty words is reported", () => {
    const text = `
      it("is refused to every other caller", () => {});
      test.skip("one short title", () => {});
      it.each([1])("the answer %d should hold", () => {});
      it.each([1])(\`the answer \${name} is kept\`, () => {});
    `;
    expect(titlesIn(text).filter(isFaultyTitle)).toEqual([
      "is refused to every other caller",
      "one short title",
      "the answer … should hold",
    ]);
  });
});

describe("the rules on imports", () => {
  const folder = mkdtempSync(join(tmpdir(), "ctxdb-architecture-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };

  it("the rules on imports report each kind of forbidden import", async () => {
    const value = "export const value = 1;\n";
    for (const path of [
      "gen/a.ts",
      "src/config/env.ts",
      "src/transport/rest/a.ts",
      "src/storage/level/a.ts",
      "src/storage/kv.ts",
      "src/service/b/a.ts",
    ])
      write(path, value);
    write(
      "src/domain/a.ts",
      'import type { value } from "../transport/rest/a.ts";\nexport type A = typeof value;\n',
    );
    write("src/domain/b.ts", 'import { c } from "./c.ts";\nexport const b = (): number => c;\n');
    write(
      "src/domain/c.ts",
      'import type { b } from "./b.ts";\nexport const c = 1;\nexport type B = typeof b;\n',
    );
    write("src/jobs/a.ts", value);
    write("src/workspace/a.ts", 'import { value } from "../jobs/a.ts";\nexport const a = value;\n');
    write("src/storage/ram/a.ts", 'import { value } from "../level/a.ts";\nexport const a = value;\n');
    write("src/retrieve/a.ts", 'import { value } from "../storage/level/a.ts";\nexport const a = value;\n');
    write("src/service/a/a.ts", 'import { value } from "../b/a.ts";\nexport const a = value;\n');
    write("src/service/a/b.ts", 'import { value } from "../../config/env.ts";\nexport const b = value;\n');
    write("src/service/a/c.ts", 'import { value } from "../../../gen/a.ts";\nexport const c = value;\n');
    write("src/service/a/d.ts", 'import { get } from "node:http";\nexport const d = get;\n');
    write(
      "src/service/a/e.ts",
      'import { value } from "../../storage/kv.ts";\nimport { e } from "./gone.ts";\nexport const all = [value, e];\n',
    );
    write("src/cli/a.ts", 'import { value } from "../service/b/a.ts";\nexport const a = value;\n');
    write("src/base/a.ts", 'import { a } from "../cli/a.ts";\nexport const b = a;\n');
    write("tsconfig.json", "{}");
    const refused = (await cruise(folder)).map(({ rule, from }) => `${rule.name} ${from}`);
    expect([...new Set(refused)].sort()).toEqual([
      "cli-is-a-client src/cli/a.ts",
      "cli-on-top src/base/a.ts",
      "config-feeds-app src/service/a/b.ts",
      "gen-in-transport src/service/a/c.ts",
      "http-in-transport src/service/a/d.ts",
      "layer-0-imports-down src/base/a.ts",
      "layer-1-imports-down src/domain/a.ts",
      "layer-4-packages src/workspace/a.ts",
      "layer-6-imports-down src/service/a/b.ts",
      "no-cycles src/domain/b.ts",
      "resolvable src/service/a/e.ts",
      "service-slices src/service/a/a.ts",
      "storage-adapters src/retrieve/a.ts",
      "storage-adapters-apart src/storage/ram/a.ts",
    ]);
  });
});
