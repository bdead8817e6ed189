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

it("a pack counts the memory of its largest file", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const node = {
    path: "a.txt",
    kind: "file",
    size: LARGE.length,
    sha256: sha256(LARGE),
    created: 1,
    modified: 1,
  };
  const nodes = `${JSON.stringify(node)}\n`;
  const manifest = {
    format: "ctxdb-pack",
    version: 1,
    scope: "resources",
    root: "a.txt",
    files: 1,
    directories: 0,
    bytes: LARGE.length,
    relations: 0,
    created_at: "",
    sha256: { "nodes.jsonl": sha256(nodes), "relations.jsonl": sha256("") },
  };
  const file = join(folder.path, "a.zip");
  const bytes = await archiveOf([
    ["nodes.jsonl", nodes],
    ["relations.jsonl", ""],
    ["files/a.txt", LARGE],
    ["manifest.json", JSON.stringify(manifest)],
  ]);
  await writeFile(file, bytes);
  const open = (most: number) =>
    openPack(
      file,
      { maxFiles: 10, maxBytes: 100 * MIB, field: "temp_path", hold: memory(most) },
      () => ["resources", "a.txt"],
      new AbortController().signal,
    );
  await expect(open(MIB)).rejects.toThrow("no room");
  const pack = await open(32 * MIB);
  await pack.close();
});
