import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ImportFilter } from "../../../src/ingest/import-filter.ts";
import type { ImportSource } from "../../../src/ingest/source.ts";
import { openPath, type PathRules } from "../../../src/ingest/source-path.ts";
import { longestShare } from "../../support/longest-stretch.ts";

let home: string;
let shelf: string;
let dataDir: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "ctxdb-source-"));
  shelf = join(home, "shelf");
  dataDir = join(home, "shelf", "data");
  mkdirSync(dataDir, { recursive: true });
  write({ "outside/secret.md": "# secret" }, home);
});
afterEach(() => rmSync(home, { recursive: true }));

function write(files: Record<string, string>, folder = shelf): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const opened = (path: string, rules: Partial<PathRules> = {}, include = ""): Promise<ImportSource> =>
  openPath(path, new ImportFilter({ include, exclude: "", ignoreDirs: "" }), {
    allowed: [shelf],
    dataDir,
    maxFiles: 1000,
    maxBytes: 1_000_000,
    ...rules,
  });
const pathsOf = (source: ImportSource) => source.files.map((file) => file.relPath.join("/"));

describe("a path that may be imported", () => {
  it("an address with an unsupported scheme is refused, without its password and query in the error", async () => {
    await expect(opened("git+http://ann:pass@host:1/a@b?token=x")).rejects.toThrow(
      /^path: must be an absolute path or an http\(s\) URL: git\+http:\/\/host:1\/a@b\?…$/,
    );
  });

  it("a file has one import source for every path to it, but keeps the name that the caller used", async () => {
    write({ "notes/a.md": "text" });
    symlinkSync(join(shelf, "notes"), join(shelf, "alias"));
    symlinkSync(join(shelf, "notes/a.md"), join(shelf, "b.md"));
    const [direct, alias, link] = await Promise.all([
      opened(join(shelf, "notes/a.md")),
      opened(join(shelf, "alias/a.md")),
      opened(join(shelf, "b.md")),
    ]);
    expect(direct).toMatchObject({ name: "a.md", isDirectory: false, bytes: 4, warnings: [] });
    expect(Buffer.from((await direct.files[0]!.read())!).toString()).toBe("text");
    expect(link.name).toBe("b.md");
    expect(new Set([direct, alias, link].map((source) => source.identity)).size).toBe(1);
  });

  it("a folder is imported filtered and in order, with warnings for links and special files", async () => {
    write({
      "d/b.md": "b",
      "d/B.md": "B",
      "d/sub/é.md": "e",
      "d/.gitignore": "*.log",
      "d/x.log": "l",
      "d/node_modules/m.md": "m",
      "d/.meta.json": "{}",
      "d/.env": "e",
    });
    symlinkSync(join(home, "outside"), join(shelf, "d/way"));
    symlinkSync(join(home, "outside/secret.md"), join(shelf, "d/secret.md"));
    symlinkSync(join(shelf, "d"), join(shelf, "d/loop"));
    execFileSync("mkfifo", [join(shelf, "d/pipe")]);
    const source = await opened(join(shelf, "d"));
    expect(source).toMatchObject({ name: "d", isDirectory: true });
    expect(pathsOf(source)).toEqual(["B.md", "b.md", "sub/é.md"]);
    expect([...source.warnings].sort()).toEqual([
      ".meta.json: skipped: its name is reserved",
      "loop: skipped: a link",
      "pipe: skipped: not a regular file",
      "secret.md: skipped: a link",
      "way: skipped: a link",
    ]);
  });

  it("file names that a URI cannot contain are changed, never to the name of another file", async () => {
    write({ "d/a\u0007.md": "1", "d/a_.md": "2", "d/a\u202e.md": "3", "d/cafe\u0301.md": "4" });
    const source = await opened(join(shelf, "d"));
    expect(pathsOf(source)).toEqual(["a_.md", "a__1.md", "a__2.md", "café.md"]);
    const texts = await Promise.all(
      source.files.map(async (file) => Buffer.from((await file.read())!).toString()),
    );
    expect(texts[0]).toBe("2");
    expect(texts.sort()).toEqual(["1", "2", "3", "4"]);
    expect(source.warnings).toHaveLength(2);
  });

  it("the data directory and folders nested too deeply are left out of an import", async () => {
    write({ "data/kv/log.md": "x", "a.md": "a", [`${"d/".repeat(70)}deep.md`]: "deep" });
    const source = await opened(shelf);
    expect(pathsOf(source)).toEqual(["a.md"]);
    expect(source.warnings).toHaveLength(2);
  });

  it("an import above its limits is refused, naming the setting", async () => {
    write({ "d/1.md": "12345", "d/2.md": "12345", "d/3.txt": "12345" });
    await expect(opened(join(shelf, "d"), { maxFiles: 2 })).rejects.toThrow(/CTXDB_IMPORT_MAX_FILES/);
    await expect(opened(join(shelf, "d"), { maxBytes: 12 })).rejects.toThrow(/CTXDB_IMPORT_MAX_BYTES/);
    expect((await opened(join(shelf, "d"), { maxFiles: 2 }, "*.md")).files).toHaveLength(2);
  });

  it("a file that vanishes or becomes a link during an import is skipped with a warning", async () => {
    write({ "d/gone.md": "x", "d/swapped.md": "x" });
    const source = await opened(join(shelf, "d"));
    unlinkSync(join(shelf, "d/gone.md"));
    unlinkSync(join(shelf, "d/swapped.md"));
    symlinkSync(join(home, "outside/secret.md"), join(shelf, "d/swapped.md"));
    expect(await Promise.all(source.files.map((file) => file.read()))).toEqual([undefined, undefined]);
    write({ "e/f/a.md": "x" });
    const below = await opened(join(shelf, "e"));
    rmSync(join(shelf, "e/f"), { recursive: true });
    write({ "a.md": "# outside" }, join(home, "outside"));
    symlinkSync(join(home, "outside"), join(shelf, "e/f"));
    await expect(below.files[0]!.read()).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });
});

describe("a path that may not", () => {
  it.each([
    "relative/file.md",
    "./x.md",
    "~/x.md",
    "file:///etc/hostname",
    "ftp://h/x",
    "",
    "/a\0b",
    `/${"x".repeat(5000)}`,
  ])("the import path %j is refused as not absolute", async (path) => {
    await expect(opened(path)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { field: "path" },
    });
  });

  it("import paths outside the allowed folders and in the data directory are refused", async () => {
    symlinkSync(join(home, "outside"), join(shelf, "way"));
    symlinkSync(join(home, "nowhere"), join(shelf, "dangling"));
    const inside = [
      "way",
      "way/secret.md",
      "way/none.md",
      "dangling",
      "../outside/secret.md",
      "../none",
      "data",
      "data/none",
    ].map((path) => `${shelf}/${path}`);
    for (const path of [...inside, home, "/etc/hostname", "/etc", "/no/such/place", "/proc/self/environ"]) {
      await expect(opened(path), path).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    }
    for (const path of ["/proc/self/environ", "/proc/none", "/sys", dataDir]) {
      await expect(opened(path, { allowed: undefined }), path).rejects.toMatchObject({
        code: "PERMISSION_DENIED",
      });
    }
    await expect(opened(join(shelf, "a.md"), { allowed: [] })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
  });

  it("the server's own files outside the data directory are refused, and left out of folders", async () => {
    write({ "backups/nightly.json": "{}", "audit.log": "x", "notes/a.md": "x", "tls.key": "x" });
    const own = ["backups", "audit.log", "tls.key"].map((name) => join(shelf, name));
    for (const path of [...own, join(shelf, "backups/nightly.json")])
      await expect(opened(path, { own }), path).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(pathsOf(await opened(shelf, { own }))).toEqual(["notes/a.md"]);
  });

  it("a missing path gives NOT_FOUND in an allowed folder, and is refused in a sibling folder", async () => {
    write({ "a.md": "a" });
    symlinkSync(shelf, join(home, "entry"));
    mkdirSync(`${shelf}2`);
    for (const path of [join(shelf, "none.md"), join(shelf, "a.md/none"), join(home, "entry/none")]) {
      const error: unknown = await opened(path).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "NOT_FOUND", details: { resource: path } });
    }
    await expect(opened(`${shelf}2`)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });

  it("pipes, devices and circular links are refused at once", async () => {
    execFileSync("mkfifo", [join(shelf, "pipe")]);
    await expect(opened(join(shelf, "pipe"))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    symlinkSync(join(shelf, "round"), join(shelf, "round"));
    await expect(opened("/dev/null", { allowed: undefined })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    await expect(opened(join(shelf, "round"))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("a refused import path is reported as the caller wrote it", async () => {
    write({ "the-real-place/a.md": "a" });
    symlinkSync(join(shelf, "the-real-place"), join(shelf, "alias"));
    const error = (await opened(join(shelf, "alias/none.md")).catch((thrown: unknown) => thrown)) as Error;
    expect(JSON.stringify([error.message, error])).not.toContain("the-real-place");
  });
});

describe("a folder with thousands of names", () => {
  /** Control characters, each of which becomes an underscore in a URI. */
  const SIGNS = Array.from({ length: 17 }, (_, i) => String.fromCharCode(0x0e + i));
  const alike = SIGNS.flatMap((a) => SIGNS.flatMap((b) => SIGNS.map((c) => `${a}${b}${c}.md`)));

  it("thousands of names that become the same URI get distinct names over several event-loop turns", async () => {
    mkdirSync(join(shelf, "many"));
    for (const name of alike) writeFileSync(join(shelf, "many", name), "");
    let source: ImportSource | undefined;
    const share = await longestShare(async () => {
      source = await opened(join(shelf, "many"), { maxFiles: 100_000 });
    });
    const names = pathsOf(source!);
    expect(names).toHaveLength(alike.length);
    expect(new Set(names).size).toBe(alike.length);
    expect(names.every((name) => /^___(?:_\d+)?\.md$/.test(name))).toBe(true);
    expect(share).toBeLessThan(0.2);
  });
});
