import { describe, expect, it } from "vitest";
import { listChunks } from "../../src/service/content/list-chunks.ts";
import { writeContent } from "../../src/service/content/write-content.ts";
import { House } from "../support/tenant.ts";

/** Short enough not to be cut into sections, which would be separate nodes. */
const PROSE = Array.from({ length: 60 }, (_, at) => `Sentence ${at} tells of tea and of harbours.`).join(" ");

async function opened() {
  const house = await House.open();
  const ann = house.as("ann");
  const write = (uri: string, content: string, mode: string) =>
    writeContent(house.deps, ann.call, { uri, content, mode, wait: true });
  const chunks = (uri: string, more: { limit?: number; cursor?: string } = {}) =>
    listChunks(house.deps, ann.call, { uri, ...more });
  return { house, ann, write, chunks };
}

describe("the chunks of a node", () => {
  it("the chunks of a file are listed in text order, with terms and vector spaces", async () => {
    const { house, write, chunks } = await opened();
    const uri = "ctx://resources/notes/long.txt";
    await write(uri, PROSE, "create");
    const first = await chunks(uri, { limit: 3 });
    expect(first.chunks.map(({ index, level }) => [index, level])).toEqual([0, 1, 2].map((at) => [at, 2]));
    for (const chunk of first.chunks) {
      expect(chunk.text).toBe(PROSE.slice(chunk.start, chunk.end));
      expect([chunk.terms > 0, chunk.spaces]).toEqual([true, ["static-128"]]);
    }
    const all = [...first.chunks];
    for (let cursor = first.nextCursor; cursor !== undefined; ) {
      const page = await chunks(uri, { limit: 100, cursor });
      all.push(...page.chunks);
      cursor = page.nextCursor;
    }
    expect(all.map(({ index }) => index)).toEqual(all.map((_, at) => at));
    expect(all).toHaveLength(first.total);
    const folder = await chunks("ctx://resources/notes");
    expect(new Set(folder.chunks.map(({ level }) => level))).toEqual(new Set([0, 1]));
    await house.end();
  });

  it("a cursor of a file's chunks is refused once the text has changed", async () => {
    const { house, write, chunks } = await opened();
    const uri = "ctx://resources/notes/long.txt";
    await write(uri, PROSE, "create");
    const { nextCursor } = await chunks(uri, { limit: 1 });
    expect(nextCursor).toBeDefined();
    await write(uri, "# Short", "replace");
    await expect(chunks(uri, { cursor: nextCursor ?? "" })).rejects.toThrow("cursor");
    expect((await chunks(uri)).chunks[0]?.text).toBe("# Short");
    await house.end();
  });

  it("a scope root and a session file have no chunks, and chunks of other users are refused", async () => {
    const { house, write, chunks } = await opened();
    await write("ctx://user/ann/memories/mine.md", "mine", "create");
    expect(await chunks("ctx://resources")).toEqual({ chunks: [], total: 0 });
    await expect(chunks("ctx://resources/none")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(chunks("ctx://resources", { limit: 101 })).rejects.toThrow("limit");
    const bob = house.as("bob");
    await expect(
      listChunks(house.deps, bob.call, { uri: "ctx://user/ann/memories/mine.md" }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    await house.end();
  });
});
