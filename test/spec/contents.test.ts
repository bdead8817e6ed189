import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blended, hotness, propagated } from "../../src/domain/score.ts";
import { CATEGORIES, GLOB_FILES, GLOBS, GREP_LINES, GREPS, MESSAGES, SKILLS, TABLES } from "./contents.ts";
import { TEXT, World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const create = (uri: string, content = TEXT) =>
  world.done("POST content/write", { uri, content, mode: "create", wait: true });
const read = (uri: string, what = "read") => world.done<string>(`GET content/${what}?uri=${uri}`);

describe("a layer", () => {
  const DIRECTORY = "ctx://resources/layers";
  beforeAll(async () => {
    await create(`${DIRECTORY}/otter.md`);
    await world.done("POST fs/mkdir", { uri: `${DIRECTORY}/empty` });
    await world.done("POST fs/mkdir", { uri: `${DIRECTORY}/told`, description: "what is to come" });
    await create(`${DIRECTORY}/told/fox.md`, "# Fox\n\nThe fox waits.\n");
    await world.done("POST system/wait", {});
  });

  it.each([
    ["L0 of a file", "otter.md", "abstract", /otter/i],
    ["L1 of a file", "otter.md", "overview", /otter/i],
    ["L2 of a file", "otter.md", "read", new RegExp(`^${TEXT}$`)],
    ["L0 of a directory", "", "abstract", /otter/i],
    ["L1 of a directory", "", "overview", /- otter\.md/],
    ["L0 of an empty directory", "empty", "abstract", /^empty$/],
    ["L0 that was given", "told", "abstract", /^what is to come$/],
    ["L1 of a directory whose L0 was given", "told", "overview", /fox\.md/],
    [".abstract.md", ".abstract.md", "read", /otter/i],
    [".overview.md", ".overview.md", "read", /- otter\.md/],
  ])("%s can be read after processing", async (_, name, what, wanted) => {
    expect(await read(`${DIRECTORY}/${name}`.replace(/\/$/, ""), what)).toMatch(wanted);
  });

  it.each([
    [0, "/told/.abstract.md"],
    [1, "/told/.overview.md"],
    [2, "/told/fox.md"],
  ])("hits of level %i are shown as %s", async (level, name) => {
    const query = { query: "what is to come, fox", target_uri: DIRECTORY, filter: { level } };
    const { resources, total } = await world.done<{
      resources: { uri: string; level: number }[];
      total: number;
    }>("POST search/find", query);
    expect(resources.map(({ uri }) => uri)).toContain(DIRECTORY + name);
    expect([new Set(resources.map((hit) => hit.level)), total]).toEqual([new Set([level]), resources.length]);
  });

  it("layers are hidden in lists unless requested", async () => {
    const names = async (more: string) =>
      (await world.done<{ name: string }[]>(`GET fs/ls?uri=${DIRECTORY}${more}`)).map(({ name }) => name);
    expect(await names("")).toEqual(["empty", "otter.md", "told"]);
    expect(await names("&show_all_hidden=true")).toEqual([
      ".abstract.md",
      ".overview.md",
      "empty",
      "otter.md",
      "told",
    ]);
  });
});

describe("memories of a commit", () => {
  const members = new Map<string, string>();
  async function tell(user: string, text: string): Promise<void> {
    const key =
      members.get(user) ??
      (await world.done<{ user_key: string }>("POST admin/accounts/acme/users", { user_id: user }, "admin"))
        .user_key;
    members.set(user, key);
    const { session_id } = (await world.server.rest(key, "POST sessions")).result as { session_id: string };
    await world.server.rest(key, `POST sessions/${session_id}/messages`, { role: "user", content: text });
    expect((await world.server.rest(key, `POST sessions/${session_id}/commit`)).result).toMatchObject({
      status: "committed",
    });
  }

  it.each(CATEGORIES)(
    "two statements of the category $category are stored in $home (files: $files)",
    async ({ category, home, first, second, files }) => {
      const user = `of-${category}`;
      await tell(user, first);
      await tell(user, second);
      const key = members.get(user)!;
      const place = home.replace("<user>", user);
      const root = place.replace(/\/[^/]*$/, "");
      const listed = await world.server.rest(key, `GET fs/ls?uri=${root}&recursive=true&simple=true`);
      const found = (listed.result as string[]).filter((uri) => uri.startsWith(place) && uri.endsWith(".md"));
      expect(found).toHaveLength(files);
      for (const uri of found) {
        for (const layer of ["abstract", "overview", "read"])
          expect(
            ((await world.server.rest(key, `GET content/${layer}?uri=${uri}`)).result as string).length,
          ).toBeGreaterThan(0);
      }
      const text = (
        await Promise.all(found.map((uri) => world.server.rest(key, `GET content/read?uri=${uri}`)))
      )
        .map(({ result }) => result)
        .join();
      const search = await world.server.rest(key, "POST search/find", {
        query: String(text).slice(0, 200),
        target_uri: root,
      });
      const hits = (search.result as { memories: { uri: string; category: string; context_type: string }[] })
        .memories;
      expect(
        hits.filter(({ uri }) => found.includes(uri)).map((hit) => [hit.category, hit.context_type]),
      ).toContainEqual([category, "memory"]);
    },
  );
});

describe("a session", () => {
  it("a session moves through the states of the specification", async () => {
    const { session_id: id } = await world.done<{ session_id: string }>("POST sessions");
    const count = async () =>
      (await world.done<{ message_count: number }>(`GET sessions/${id}`)).message_count;
    const say = () =>
      world.done<{ message_count: number }>(`POST sessions/${id}/messages`, {
        role: "user",
        content: "I live in Oslo.",
      });
    const names = async () =>
      world.done<string[]>(
        `GET fs/ls?uri=ctx://session/bob/${id}&recursive=true&simple=true&show_all_hidden=true`,
      );
    expect(await count()).toBe(0);
    expect([(await say()).message_count, (await say()).message_count, await count()]).toEqual([1, 2, 2]);
    await world.done(`POST sessions/${id}/messages`, {
      role: "assistant",
      parts: [{ type: "tool", tool_id: "t", tool_status: "running" }],
    });
    const commit = () => world.done<Record<string, unknown>>(`POST sessions/${id}/commit`);
    expect(await commit()).toMatchObject({
      status: "committed",
      archived: true,
      stats: { total_turns: 2, compression_count: 1 },
    });
    // the first message after a commit is number one again, the statistics continue
    expect([await count(), (await say()).message_count]).toEqual([0, 1]);
    expect(await commit()).toMatchObject({ archived: true, stats: { total_turns: 3, compression_count: 2 } });
    expect(await commit()).toMatchObject({
      status: "committed",
      archived: false,
      memories_extracted: 0,
      active_count_updated: 0,
    });
    const layout = [".abstract.md", ".meta.json", ".overview.md", "messages.jsonl", "tools/t.json"];
    const archives = ["001", "002"].flatMap((n) =>
      [".abstract.md", ".overview.md", "messages.jsonl"].map((name) => `history/archive_${n}/${name}`),
    );
    const shown = (await names()).map((uri) => uri.slice(`ctx://session/bob/${id}/`.length));
    expect(shown).toEqual(expect.arrayContaining([...layout, ...archives]));
    const profile = "ctx://user/bob/memories/profile.md";
    expect(await read(profile)).toContain("Oslo");
    await world.done(`DELETE sessions/${id}`);
    expect((await world.call("user", `GET sessions/${id}`)).error?.code).toBe("NOT_FOUND");
    expect(
      (await world.call("user", `POST sessions/${id}/messages`, { role: "user", content: "x" })).http,
    ).toBe(410);
    // existing memories are kept
    expect(await read(profile)).toContain("Oslo");
  });

  it.each(MESSAGES.map(([body, wrong]) => [JSON.stringify(body), wrong || "nothing", body, wrong] as const))(
    "adding the message %s reports the invalid field: %s",
    async (_, __, body, wrong) => {
      const { session_id: id } = await world.done<{ session_id: string }>("POST sessions");
      const { http, error } = await world.call("user", `POST sessions/${id}/messages`, body);
      if (wrong !== "")
        return expect([http, error?.code, (error?.details as { field: string } | undefined)?.field]).toEqual([
          400,
          "INVALID_ARGUMENT",
          wrong,
        ]);
      expect(http).toBe(200);
      const line = JSON.parse(await read(`ctx://session/bob/${id}/messages.jsonl`)) as {
        parts: Record<string, string>[];
      };
      const [first] = line.parts;
      if (first?.type === "context") expect(first.context_type).toMatch(/^(memory|skill)$/);
      if (first?.type === "tool") expect(first.tool_status).toMatch(/^(pending|running|completed|error)$/);
      // parts take precedence over content
      expect(JSON.stringify(line)).not.toContain("lost");
    },
  );
});

describe("a skill", () => {
  it.each(SKILLS)("a skill is added as $form", async ({ data, name, holds }) => {
    const { path } = await world.filled({ path: "<path>" });
    await mkdir(join(path, "folder"));
    await writeFile(join(path, "f.md"), "---\nname: from file\ndescription: d\n---\n# F\n");
    await writeFile(join(path, "folder", "SKILL.md"), "---\nname: from folder\ndescription: d\n---\n# D\n");
    await writeFile(join(path, "folder", "aux.txt"), "beside it");
    const paths: Readonly<Record<string, string>> = {
      "<skill-file>": join(path, "f.md"),
      "<skill-folder>": join(path, "folder"),
    };
    const added = await world.done<Record<string, unknown>>("POST skills", {
      data: paths[String(data)] ?? data,
      wait: true,
    });
    const uri = `ctx://agent/skills/${name}/`;
    expect(added).toMatchObject({
      status: "success",
      uri,
      skill_uri: uri,
      name,
      auxiliary_files: data === "<skill-folder>" ? 1 : 0,
    });
    const document = await read(`${uri}SKILL.md`);
    for (const held of holds) expect(document).toContain(held);
    const { description } = await world.done<{ description: string }>(`GET skills/${name}`);
    expect(await read(uri, "abstract")).toBe(description);
    const found = await world.done<{ skills: { uri: string }[] }>("POST search/find", {
      query: description,
      target_uri: "ctx://skills/",
    });
    expect(found.skills.some((hit) => hit.uri.startsWith(uri))).toBe(true);
  });
});

describe("a pattern", () => {
  const ROOT = "ctx://resources/patterns";
  beforeAll(async () => {
    for (const name of GLOB_FILES) await create(`${ROOT}/globs/${name}`);
    await create(`${ROOT}/lines.txt`, GREP_LINES.join("\n"));
  });

  it.each(GLOBS)("the glob %j matches %j", async (pattern, matches) => {
    const { result, error } = await world.call("user", "POST search/glob", { pattern, uri: `${ROOT}/globs` });
    if (matches === "refused") return expect(error?.code).toBe("INVALID_ARGUMENT");
    expect(result).toEqual({
      matches: matches.map((name) => `${ROOT}/globs/${name}`),
      count: matches.length,
    });
  });

  it.each(GREPS)("the grep pattern %j with %j matches the lines %j", async (pattern, more, lines) => {
    const uri = `${ROOT}/lines.txt`;
    const { result, error } = await world.call("user", "POST search/grep", { uri, pattern, ...more });
    if (lines === "refused") return expect(error?.code).toBe("INVALID_ARGUMENT");
    const content = (line: number) => GREP_LINES[line - 1]!.slice(0, 4096);
    expect(result).toEqual({
      matches: lines.map((line) => ({ uri, line, content: content(line) })),
      count: lines.length,
    });
  });

  it("node_limit limits the matches of glob and grep", async () => {
    const count = async (call: string, body: object) =>
      (await world.done<{ count: number }>(call, { ...body, uri: `${ROOT}/globs` })).count;
    expect(await count("POST search/glob", { pattern: "**", node_limit: 2 })).toBe(2);
    expect(await count("POST search/grep", { pattern: "otter", node_limit: 2 })).toBe(2);
    expect(await count("POST search/grep", { pattern: "otter" })).toBe(4);
  });
});

describe("monitoring", () => {
  it.each(Object.entries(TABLES))(
    "the monitoring table %s has the columns and rows of the specification",
    async (name, { columns, rows }) => {
      const { status } = await world.done<{ status: string }>(`GET observer/${name}`);
      const cells = status.split("\n").map((row) => row.split("\t"));
      expect(cells[0]!.join(", ")).toBe(columns);
      expect(cells.slice(1).map(([label]) => label)).toEqual(rows);
      for (const row of cells) expect(row).toHaveLength(cells[0]!.length);
    },
  );
});

describe("a move", () => {
  const ROOT = "ctx://resources/moves";
  const move = (from: string, to: string) =>
    world.call("user", "POST fs/mv", { from_uri: `${ROOT}/${from}`, to_uri: `${ROOT}/${to}` });

  it("a move creates missing parents, replaces a node of the same kind, and keeps times and relations", async () => {
    for (const name of ["a.md", "b.md", "d/x.md", "e/y.md"]) await create(`${ROOT}/${name}`, `# ${name}\n`);
    await world.done("POST relations/link", { from_uri: `${ROOT}/a.md`, to_uri: `${ROOT}/d`, reason: "see" });
    const { mtime, ctime } = await world.done<{ mtime: number; ctime: number }>(
      `GET fs/stat?uri=${ROOT}/a.md`,
    );
    expect((await move("a.md", "new/place/a.md")).result).toEqual({
      from: `${ROOT}/a.md`,
      to: `${ROOT}/new/place/a.md`,
    });
    expect(await world.done(`GET fs/stat?uri=${ROOT}/new/place/a.md`)).toMatchObject({ mtime, ctime });
    expect((await move("new/place/a.md", "b.md")).http).toBe(200);
    expect(await read(`${ROOT}/b.md`)).toBe("# a.md\n");
    expect((await move("d", "e")).http).toBe(200);
    expect(await world.done(`GET fs/ls?uri=${ROOT}/e&simple=true`)).toEqual([`${ROOT}/e/x.md`]);
    const relation = { from_uri: `${ROOT}/b.md`, to_uri: `${ROOT}/e`, reason: "see" };
    expect(await world.done(`GET relations?uri=${ROOT}/b.md`)).toMatchObject([relation]);
    expect((await move("b.md", "b.md")).http).toBe(200);
    expect((await move("none", "some")).error?.code).toBe("NOT_FOUND");
    expect((await move("e", "b.md")).error?.code).toBe("FAILED_PRECONDITION");
  });

  it("a relation has one direction and exists only once, and removing a missing relation succeeds", async () => {
    const [from_uri, to_uri] = [`${ROOT}/r1`, `${ROOT}/r2`];
    for (const reason of ["one", "two"])
      await world.done("POST relations/link", { from_uri, to_uri, reason });
    expect(await world.done(`GET relations?uri=${from_uri}`)).toMatchObject([
      { from_uri, to_uri, uri: to_uri, reason: "two" },
    ]);
    expect(await world.done(`GET relations?uri=${to_uri}`)).toEqual([]);
    await world.done("POST relations/unlink", { from_uri: to_uri, to_uri: from_uri });
    expect(await world.done(`GET relations?uri=${to_uri}&direction=in`)).toHaveLength(1);
    for (let i = 0; i < 2; i++) await world.done("POST relations/unlink", { from_uri, to_uri });
    expect(await world.done(`GET relations?uri=${from_uri}&direction=both`)).toEqual([]);
  });
});

/**
 * test/unit/retrieve/find.test.ts checks that a search stops after 3 rounds without change,
 * test/unit/domain/score.test.ts checks the whole formula.
 */
describe("a constant", () => {
  const DAY = 86_400_000;
  it.each([
    ["hotness alpha", blended(0, 1), 0.2],
    ["what alpha leaves", blended(1, 0), 0.8],
    ["propagation alpha", propagated(0, 1), 0.5],
    ["a parent that sinks nothing", propagated(1, 0), 1],
    ["hotness of what is fresh and unused", hotness(0, 0, 0), 0.5],
    ["hotness after seven days", hotness(0, 0, 7 * DAY), 0.25],
    ["hotness of what was used twice", hotness(2, 0, 0), 0.75],
  ])("the ranking constant is as specified: %s", (_, value, wanted) => expect(value).toBeCloseTo(wanted, 12));

  it("a search returns 10 hits over its three lists unless a limit is given", async () => {
    for (let i = 0; i < 8; i++) {
      await create(
        `ctx://resources/limit/${i}/wombat-${i}.md`,
        `# Wombat ${i}\n\nThe wombat digs burrow ${i}.\n`,
      );
      await create(
        `ctx://user/bob/limit/${i}/wombat-${i}.md`,
        `# Wombat ${i}\n\nThe wombat likes grass ${i}.\n`,
      );
    }
    const total = async (more: object) =>
      (await world.done<{ total: number }>("POST search/find", { query: "wombat", ...more })).total;
    expect([await total({}), await total({ limit: 12 }), await total({ limit: 1 })]).toEqual([10, 12, 1]);
    expect(await total({ score_threshold: 1 })).toBe(0);
    // by segment, not by letter
    expect(await total({ target_uri: "ctx://resources/lim" })).toBe(0);
  });
});
