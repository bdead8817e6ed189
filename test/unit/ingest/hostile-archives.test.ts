import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openPack } from "../../../src/ingest/pack/read-pack.ts";
import { skillOfSource } from "../../../src/ingest/skill-source.ts";
import { archiveOf } from "../../support/archive.ts";
import { fileLine, packed } from "../../support/pack.ts";
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

/** A pack of one file, on disk. */
async function packOf(root: string, text: string): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, "a.zip");
  await writeFile(
    path,
    await packed({ nodes: [fileLine(root, text)], files: { [root]: text }, manifest: { root } }),
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
  const path = await packOf("a.txt", LARGE);
  await expect(open(path, "a.txt", MIB)).rejects.toThrow("no room");
  const pack = await open(path, "a.txt", 32 * MIB);
  await pack.close();
});
