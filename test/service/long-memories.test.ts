import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listMemories } from "../../src/service/memory/list-memories.ts";
import { type Actor, House } from "../support/tenant.ts";

/** So many that their texts exceed one answer. */
const FILES = 38;
const MEMORIES = "ctx://user/ann/memories";
const EDITED_BYTES = 512 * 1024;
/** Makes a text long, but is not embedded. */
const BLANK = " ".repeat(EDITED_BYTES - 50_000);

describe("documents among memories", () => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    // jobs would take long
    house = await House.open(undefined, false);
    ann = house.as("ann");
  });
  afterEach(() => house.close());

  const list = async (category: string, cursor?: string) =>
    listMemories(house.deps, ann.call, {
      category,
      includeSuperseded: false,
      excludeOrigins: [],
      limit: 1000,
      cursor,
    });
  /** Writes a document elsewhere, and moves it among the memories. */
  async function moved(uri: string, text: string): Promise<void> {
    await ann.create("ctx://resources/long.md", text);
    await ann.mv("ctx://resources/long.md", uri);
  }

  it("a list of memories reads only the beginning of a large document among the memories", async () => {
    const line = "- The heron waits by the river of the valley\n";
    await ann.create(`${MEMORIES}/entities/small.md`, `# Heron\n\n${line}`);
    await moved(`${MEMORIES}/entities/large.md`, `# Large\n\n${line}${BLANK}\n${BLANK}\n`);
    const { workspace } = await ann.tenant();
    const read = vi.spyOn(workspace.contents, "read");
    const { memories } = await list("entities");
    expect(memories.some(({ uri }) => uri.endsWith("small.md"))).toBe(true);
    expect(memories.some(({ uri }) => uri.endsWith("large.md"))).toBe(true);
    expect(Math.max(0, ...read.mock.calls.map(([entry]) => entry.size))).toBeLessThanOrEqual(EDITED_BYTES);
  });

  it("a page of memories ends early if their statements are long", async () => {
    for (let i = 0; i < FILES; i++)
      await ann.create(
        `ctx://agent/default/memories/cases/c${i}.md`,
        `# Case ${i}\n\nA beginning.${BLANK}The end.`,
      );
    const page = await list("cases");
    expect(page.memories.length).toBeLessThan(FILES);
    const rest = await list("cases", page.nextCursor);
    expect(page.memories.length + rest.memories.length).toBe(FILES);
    expect(rest.nextCursor).toBeUndefined();
  });
});
