import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sha256 } from "../../../src/base/sha256.ts";
import { openPack } from "../../../src/ingest/pack/read-pack.ts";
import { skillOfSource } from "../../../src/ingest/skill-source.ts";
import { archiveOf } from "../../support/archive.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const MIB = 1024 * 1024;
const LARGE = "x\n".repeat(4 * MIB);

/** Memory of which a call may take `most` bytes. */
function memory(most: number) {
  let held = 0;
  return (bytes: number) => {
    held += bytes;
    if (held > most) throw new Error(`no room for ${held} bytes`);
  };
}

it("a skill counts what its archive unpacks to before it is read", async () => {
  const bytes = await archiveOf([["SKILL.md", LARGE]]);
  const files = [{ relPath: ["skill.zip"], read: async () => bytes }];
  const source = { name: "s", isDirectory: false, identity: "s", files, bytes: bytes.length, warnings: [] };
  await expect(skillOfSource(source, "temp_path", memory(MIB))).rejects.toThrow("no room");
  await expect(skillOfSource(source, "temp_path", memory(16 * MIB))).rejects.toThrow("the limit is");
});

const TIMES = { created: 1, modified: 1 };
const file = (path: string, text: string) => ({
  path,
  kind: "file",
  size: text.length,
  sha256: sha256(text),
  ...TIMES,
});

/** A pack on disk, as somebody makes it who knows the format. */
async function packOf(
  root: string,
  files: Readonly<Record<string, string>>,
  folders: readonly string[] = [],
  relations: readonly object[] = [],
): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const lines = (items: readonly object[]) => items.map((item) => `${JSON.stringify(item)}\n`).join("");
  const contents = Object.entries(files);
  const parts = {
    "nodes.jsonl": lines([
      ...folders.map((path) => ({ path, kind: "directory", size: 0, ...TIMES })),
      ...contents.map(([path, text]) => file(path, text)),
    ]),
    "relations.jsonl": lines(relations),
  };
  const manifest = {
    format: "ctxdb-pack",
    version: 1,
    scope: "resources",
    root,
    files: contents.length,
    directories: folders.length,
    bytes: contents.reduce((sum, [, text]) => sum + text.length, 0),
    relations: relations.length,
    created_at: "",
    sha256: Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, sha256(text)])),
  };
  const path = join(folder.path, "a.zip");
  await writeFile(
    path,
    await archiveOf([
      ...Object.entries(parts),
      ...contents.map(([name, text]) => [`files/${name}`, text] as const),
      ["manifest.json", JSON.stringify(manifest)],
    ]),
  );
  return path;
}

const open = (path: string, root: string, most: number) =>
  openPack(
    path,
    { maxFiles: 10, maxBytes: 100 * MIB, field: "temp_path", hold: memory(most) },
    () => ["resources", root],
    new AbortController().signal,
  );

it("a pack counts the memory of its largest file", async () => {
  const path = await packOf("a.txt", { "a.txt": LARGE });
  await expect(open(path, "a.txt", MIB)).rejects.toThrow("no room");
  const pack = await open(path, "a.txt", 32 * MIB);
  await pack.close();
});
