import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sourcesOf } from "../../src/ingest/open-source.ts";
import { writeContent } from "../../src/service/content/write-content.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

let house: House;
let ann: Actor;

beforeEach(async () => {
  house = await House.open();
  ann = house.as("ann");
  await ann.mkdir("ctx://resources/made");
});
afterEach(async () => {
  await house.drain();
  await house.expectSound();
  await house.close();
});

describe("reserved names", () => {
  it("names reserved for layers are refused anywhere in a path", async () => {
    await ann.create("ctx://resources/a.md", "a");
    const below = "ctx://resources/.abstract.md/x";
    const codes = [
      ann.mkdir(below),
      ann.create(`${below}.md`, "x"),
      ann.mv("ctx://resources/a.md", below),
      ann.add("s", { "a.md": "a" }, { to: below }),
    ];
    expect(await Promise.all(codes.map(codeOf))).toEqual(Array(4).fill("INVALID_ARGUMENT"));
    expect(await ann.tree("ctx://resources", true)).not.toContain("ctx://resources/.abstract.md");
  });

  it("files with reserved names in an upload are not imported", async () => {
    const limits = { importMaxFiles: 10, importMaxBytes: 1000, maxUploadBytes: 1000 };
    const config = { localPaths: undefined, dataDir: "/none", urlAllowPrivate: false, ...limits };
    const scratch = { folder: () => Promise.reject(new Error("nothing is unpacked")) };
    const { openLocal } = sourcesOf({ config, uploads: house.uploads, scratch });
    const filter = { ignoreDirs: "", include: "", exclude: "" };
    const filesOf = async (name: string) =>
      (await openLocal({ kind: "upload", id: "1", name }, filter)).files.length;
    expect([await filesOf(".meta.json"), await filesOf("notes.md")]).toEqual([0, 1]);
  });
});

it("an invalid agent name gets no agent space", async () => {
  for (const name of ["a b", ".x", "-", "ü"]) {
    expect(await codeOf(ann.create(`ctx://agent/${name}/notes/a.md`, "a"))).toBe("INVALID_ARGUMENT");
  }
  expect(await codeOf(ann.create("ctx://agent/a-b.c@d_1/notes/a.md", "a"))).toBe("OK");
});

describe("If-Match", () => {
  const write = (ifMatch: readonly string[], mode: string, uri = "ctx://resources/a.md") =>
    codeOf(writeContent(house.deps, { ...ann.call, ifMatch }, { uri, content: "b", mode, wait: false }));

  it("If-Match: * accepts any existing content and refuses a missing file", async () => {
    expect(await write(["*"], "create")).toBe("FAILED_PRECONDITION");
    await ann.create("ctx://resources/a.md", "a");
    expect(await write(["*"], "replace")).toBe("OK");
    expect(await write(["*"], "replace", "ctx://resources/none.md")).toBe("NOT_FOUND");
  });
});

describe("an import", () => {
  it("a reason, instruction or source name above 16 KiB is refused", async () => {
    const long = "r".repeat(16 * 1024 + 1);
    for (const note of [{ reason: long }, { instruction: long }, { sourceName: long }]) {
      expect(await codeOf(ann.add("s", { "a.md": "a" }, note))).toBe("INVALID_ARGUMENT");
    }
    expect(await codeOf(ann.add("s", { "a.md": "a" }, { reason: long.slice(1) }))).toBe("OK");
  });

  it("an import names its upload once, as temp_path or temp_file_id", async () => {
    const named = { path: undefined, tempPath: "one" };
    await expect(ann.add("s", {}, { ...named, tempFileId: "two" })).rejects.toMatchObject({
      details: { field: "temp_file_id" },
    });
    await expect(ann.add("s", {}, { ...named, tempFileId: "one" })).rejects.toMatchObject({
      details: { type: "upload" },
    });
  });
});
