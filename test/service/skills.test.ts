import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SkillService } from "../../gen/ctxdb/v1/skill_pb.ts";
import { clientsOf } from "../conformance/wire/clients.ts";
import { archiveOf } from "../support/archive.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const DOCUMENT =
  "---\nname: CSV cleaner\ndescription: Cleans messy exports\ntags: [data]\n---\n\n# CSV\n\nFix the decimal commas.\n";
const root = { "x-api-key": ROOT_KEY };

const zip = (files: Readonly<Record<string, string>>): Promise<Buffer> => archiveOf(Object.entries(files));

describe("skills", () => {
  let server: Served;
  let shelf: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    shelf = await temporaryFolder();
    server = await serve({ CTXDB_LOCAL_PATHS: shelf.path });
  });
  afterAll(async () => {
    await server.close();
    await shelf.remove();
  });

  const add = (body: object, headers = {}) => server.rest(ROOT_KEY, "POST skills", body, headers);
  const names = async () =>
    ((await server.rest(ROOT_KEY, "GET skills")).result as { skills: { name: string }[] }).skills.map(
      ({ name }) => name,
    );
  async function uploaded(bytes: Uint8Array): Promise<string> {
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(bytes)]), "s.zip");
    return ((await server.rest(ROOT_KEY, "POST resources/temp_upload", form)).result as { temp_path: string })
      .temp_path;
  }
  const tree = async (name: string) =>
    (await server.rest(ROOT_KEY, `GET fs/ls?uri=ctx://agent/skills/${name}&recursive=true&simple=true`))
      .result;

  it("skills are added, read, listed and deleted in the same way on every protocol", async () => {
    const { method } = SkillService;
    for (const [i, client] of clientsOf(server.port).entries()) {
      const name = `wire-${i}`;
      const uri = `ctx://agent/skills/${name}/`;
      const data = {
        name: `Wire ${i}`,
        description: "d",
        content: "# W",
        tags: ["t"],
        allowed_tools: ["Read"],
      };
      const summary = { name, uri, description: "d", tags: ["t"], allowed_tools: ["Read"] };
      const added = await client.call(method.addSkill, { data }, root);
      expect(added, client.name).toEqual({
        code: "OK",
        result: {
          status: "success",
          uri,
          skill_uri: uri,
          root_uri: uri.slice(0, -1),
          name,
          auxiliary_files: 0,
          errors: [],
        },
      });
      expect((await client.call(method.getSkill, { name }, root)).result).toEqual({
        ...summary,
        content: expect.stringContaining("# W"),
        files: [],
      });
      expect((await client.call(method.listSkills, {}, root)).result).toEqual({
        skills: [summary],
        total: 1,
      });
      expect((await client.call(method.deleteSkill, { name }, root)).result).toEqual({
        name,
        uri,
        deleted: 2,
        trash_id: expect.any(String),
      });
      expect((await client.call(method.deleteSkill, { name }, root)).code).toBe("NOT_FOUND");
      const bad = await client.call(
        method.addSkill,
        { data: { name: "x", description: "d", tags: "t" } },
        root,
      );
      expect([bad.code, bad.details]).toEqual([
        "INVALID_ARGUMENT",
        expect.objectContaining({ field: "tags" }),
      ]);
      expect((await client.call(method.addSkill, {}, root)).code).toBe("INVALID_ARGUMENT");
    }
  });

  it("adding a skill again replaces it, keeps unchanged files, and removes the others", async () => {
    const uri = "ctx://agent/skills/csv-cleaner";
    await add({
      temp_path: await uploaded(
        await zip({
          "top/SKILL.md": DOCUMENT,
          "top/old.txt": "old",
          "top/x/kept.txt": "k",
          "__MACOSX/._a": "",
        }),
      ),
      wait: true,
    });
    expect(await tree("csv-cleaner")).toEqual([
      `${uri}/SKILL.md`,
      `${uri}/old.txt`,
      `${uri}/x`,
      `${uri}/x/kept.txt`,
    ]);
    const kept = await server.rest(ROOT_KEY, `GET fs/stat?uri=${uri}/x/kept.txt`);
    const changed = DOCUMENT.replace("messy exports", "tidy exports");
    await add({
      temp_path: await uploaded(await zip({ "skill.md": changed, "x/kept.txt": "k" })),
      wait: true,
    });
    expect(await tree("csv-cleaner")).toEqual([`${uri}/SKILL.md`, `${uri}/x`, `${uri}/x/kept.txt`]);
    expect((await server.rest(ROOT_KEY, `GET fs/stat?uri=${uri}/x/kept.txt`)).result).toEqual(kept.result);
    expect((await server.rest(ROOT_KEY, `GET content/abstract?uri=${uri}`)).result).toBe(
      "Cleans tidy exports",
    );
    const found = await server.rest(ROOT_KEY, "POST search/find", {
      query: "tidy exports",
      target_uri: "ctx://skills",
    });
    expect((found.result as { skills: { uri: string }[] }).skills.map((hit) => hit.uri)).toContain(
      `${uri}/.abstract.md`,
    );
    const stale = await server.rest(ROOT_KEY, "POST search/find", {
      query: "messy",
      target_uri: "ctx://skills",
    });
    expect(JSON.stringify(stale.result)).not.toContain("messy exports");
    await server.rest(ROOT_KEY, "POST content/write", {
      uri: `${uri}/SKILL.md`,
      content: changed.replace("tidy", "written"),
    });
    await server.rest(ROOT_KEY, "POST fs/mv", { from_uri: uri, to_uri: "ctx://agent/skills/moved" });
    const moved = (await server.rest(ROOT_KEY, "GET skills/moved")).result;
    expect(moved).toMatchObject({
      name: "moved",
      description: "Cleans written exports",
      files: ["x/kept.txt"],
    });
    await server.rest(ROOT_KEY, "POST fs/mkdir", { uri: "ctx://agent/skills/none" });
    expect(await names()).toEqual(["moved"]);
    expect((await server.rest(ROOT_KEY, "DELETE skills/none")).error?.code).toBe("NOT_FOUND");
    await server.rest(ROOT_KEY, "DELETE skills/moved");
  });

  it("the L0 of a skill is its document's description, whoever wrote the document", async () => {
    const uri = "ctx://agent/skills/csv-cleaner";
    const abstract = async () => (await server.rest(ROOT_KEY, `GET content/abstract?uri=${uri}`)).result;
    const write = (content: string, mode = "replace") =>
      server.rest(ROOT_KEY, "POST content/write", { uri: `${uri}/SKILL.md`, content, mode, wait: true });
    await write(DOCUMENT, "create");
    expect(await abstract()).toBe("Cleans messy exports");
    await write(DOCUMENT.replace("messy", "narwhal"));
    expect(await abstract()).toBe("Cleans narwhal exports");
    const found = await server.rest(ROOT_KEY, "POST search/find", {
      query: "narwhal exports",
      target_uri: "ctx://skills",
    });
    expect((found.result as { skills: { uri: string }[] }).skills.map((hit) => hit.uri)).toContain(
      `${uri}/.abstract.md`,
    );
    await write("no front matter");
    expect(await abstract()).toBe("Cleans narwhal exports");
    await server.rest(ROOT_KEY, `DELETE fs?uri=${uri}&recursive=true`);
  });

  it("a skill added twice under an Idempotency-Key is added once", async () => {
    const body = { data: { name: "once", description: "d" } };
    const first = await add(body, { "Idempotency-Key": "k" });
    await server.rest(ROOT_KEY, "DELETE skills/once");
    expect((await add(body, { "Idempotency-Key": "k" })).result).toEqual(first.result);
    expect(await names()).toEqual([]);
  });

  it("skills are added from allowed folders only, and never through links", async () => {
    const folder = join(shelf.path, "clean");
    await mkdir(join(folder, "scripts"), { recursive: true });
    await writeFile(join(folder, "Skill.md"), `\ufeff${DOCUMENT}`);
    await writeFile(join(folder, "scripts/a.py"), "print()");
    await symlink("/etc/passwd", join(folder, "passwd"));
    expect((await add({ data: folder })).result).toMatchObject({ name: "csv-cleaner", auxiliary_files: 1 });
    expect((await add({ data: "/etc" })).error?.code).toBe("PERMISSION_DENIED");
    expect((await add({ data: join(shelf.path, "none") })).error?.code).toBe("NOT_FOUND");
    expect((await add({ data: join(folder, "scripts") })).error?.code).toBe("INVALID_ARGUMENT");
    await server.rest(ROOT_KEY, "DELETE skills/csv-cleaner");
  });

  const MANY = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`${i}.txt`, ""]));
  it.each([
    ["a member up", { "SKILL.md": DOCUMENT, "../x": "" }],
    ["an absolute member", { "SKILL.md": DOCUMENT, "/x": "" }],
    ["a backslash", { "SKILL.md": DOCUMENT, "a\\b": "" }],
    ["a file as a folder", { "SKILL.md": DOCUMENT, "SKILL.md/x": "" }],
    ["two documents", { "SKILL.md": DOCUMENT, "skill.md": DOCUMENT }],
    ["no document", { "a.txt": "" }],
    ["a document too deep", { "a/SKILL.md": DOCUMENT, "b/x": "" }],
    ["a control character", { "SKILL.md": DOCUMENT, "a\u0007": "" }],
    ["twins in other forms of Unicode", { "SKILL.md": DOCUMENT, "\u00e9": "", "e\u0301": "" }],
    ["too many files", { "SKILL.md": DOCUMENT, ...MANY }],
    ["a bomb", { "SKILL.md": DOCUMENT, zeros: "0".repeat(65 * 1024 * 1024) }],
  ])("a skill archive with %s is refused", async (_, files) => {
    const answer = await add({ temp_path: await uploaded(await zip(files)), wait: true });
    expect([answer.http, answer.error?.details]).toEqual([
      400,
      expect.objectContaining({ field: "temp_path" }),
    ]);
    expect(await names()).toEqual([]);
  });

  it("a skill archive that is damaged, truncated or misstates a size is refused", async () => {
    const good = await zip({ "SKILL.md": DOCUMENT, x: "some text of a file" });
    const lying = Buffer.from(good);
    lying.writeUInt32LE(5, lying.lastIndexOf("PK\u0001\u0002") + 24);
    const damaged = Buffer.from(good);
    damaged.writeUInt32LE(1, damaged.lastIndexOf("PK\u0001\u0002") + 16);
    for (const bad of [lying, damaged, good.subarray(0, -10), good.subarray(0, 60)])
      expect((await add({ temp_path: await uploaded(bad) })).error?.code).toBe("INVALID_ARGUMENT");
    expect(await names()).toEqual([]);
  });
});
