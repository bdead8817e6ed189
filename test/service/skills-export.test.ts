import {
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ctxdb } from "../support/command-line.ts";
import { type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const document = (name: string, body = "Boil water."): string =>
  `---\nname: ${name}\ndescription: About ${name}\n---\n\n# ${name}\n\n${body}\n`;
const LONG_AGO = new Date("2020-01-01T00:00:00Z");

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: Served;
let env: Record<string, string>;
let target: string;
let tests = 0;
const at = (...path: string[]): string => join(target, ...path);
const run = (...argv: string[]) => ctxdb(argv, { env });
const report = async (...argv: string[]) => {
  const { code, out } = await run(...argv, "--json");
  return { ...(JSON.parse(out) as { skills: number; kept: unknown[] }), code };
};
const call = (what: string, body?: object) => server.rest("", what, body);
const write = (uri: string, content: string) => call("POST content/write", { uri, content, mode: "create" });
const addSkill = (data: string) => call("POST skills", { data, wait: true });

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await serve({ CTXDB_ROOT_API_KEY: undefined });
  env = { CTXDB_ADDRESS: `127.0.0.1:${server.port}`, XDG_CONFIG_HOME: join(folder.path, "config") };
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});
beforeEach(async () => {
  target = join(folder.path, `skills-${++tests}`);
  const { skills } = (await call("GET skills")).result as { skills: { name: string }[] };
  for (const { name } of skills) await call(`DELETE skills/${encodeURIComponent(name)}`);
  for (const name of ["brew", "pour"]) await addSkill(document(name));
  await write("ctx://agent/skills/brew/scripts/heat.sh", "echo 80\n");
});

describe("ctxdb skill export", () => {
  it("ctxdb skill export writes skills as folders with their documents and files, but without derived files", async () => {
    expect(await report("skills", "export", target)).toMatchObject({
      code: 0,
      skills: 2,
      unchanged: 0,
      kept: [],
    });
    expect(await readFile(at("brew", "SKILL.md"), "utf8")).toBe(document("brew"));
    expect(await readFile(at("brew", "scripts", "heat.sh"), "utf8")).toBe("echo 80\n");
    expect((await readdir(target)).sort()).toEqual([".ctxdb-skills.json", "brew", "pour"]);
    expect((await readdir(at("brew"))).sort()).toEqual(["SKILL.md", "scripts"]);
  });

  it("ctxdb skill export writes only files that differ", async () => {
    await run("skill", "export", target);
    for (const name of ["brew", "pour"]) await utimes(at(name, "SKILL.md"), LONG_AGO, LONG_AGO);
    await addSkill(document("pour", "Slowly."));
    expect(await report("skill", "export", target)).toMatchObject({
      written: ["pour/SKILL.md"],
      unchanged: 2,
    });
    expect((await stat(at("brew", "SKILL.md"))).mtime).toEqual(LONG_AGO);
    expect(await readFile(at("pour", "SKILL.md"), "utf8")).toContain("Slowly.");
  });

  it("ctxdb skill export keeps changed files and ends with exit code 1, but replaces them with --force", async () => {
    await run("skill", "export", target);
    await writeFile(at("brew", "SKILL.md"), "mine");
    await addSkill(document("brew", "New."));
    expect(await report("skill", "export", target)).toMatchObject({
      code: 1,
      kept: [{ file: "brew/SKILL.md", reason: "was changed here" }],
    });
    expect(await readFile(at("brew", "SKILL.md"), "utf8")).toBe("mine");
    expect(await report("skill", "export", target, "--force")).toMatchObject({ code: 0, kept: [] });
    expect(await readFile(at("brew", "SKILL.md"), "utf8")).toContain("New.");
  });

  it("ctxdb skill export writes only the named skills, and refuses an unknown name", async () => {
    expect(await report("skill", "export", target, "pour")).toMatchObject({
      skills: 1,
      written: ["pour/SKILL.md"],
    });
    expect(await run("skill", "export", target, "none")).toMatchObject({ code: 3 });
  });

  it("ctxdb skill sync changes nothing with --dry-run", async () => {
    await mkdir(target);
    expect(await report("skill", "sync", target, "--dry-run")).toMatchObject({ code: 0, skills: 2 });
    expect(await readdir(target)).toEqual([]);
  });

  it("ctxdb skill export never writes through a link or over a folder", async () => {
    const outside = join(folder.path, `outside-${tests}`);
    await mkdir(outside);
    await mkdir(at("pour", "SKILL.md"), { recursive: true });
    await symlink(outside, at("brew"));
    const { code, kept } = await report("skill", "export", target, "--force");
    expect({ code, kept }).toMatchObject({
      code: 1,
      kept: [
        { file: "brew/SKILL.md", reason: "is below brew, which is a link" },
        { file: "brew/scripts/heat.sh", reason: "is below brew, which is a link" },
        { file: "pour/SKILL.md", reason: "is not a file" },
      ],
    });
    expect([await readdir(outside), await readlink(at("brew"))]).toEqual([[], outside]);
    await rm(at("brew"));
    await mkdir(at("brew"));
    await writeFile(join(outside, "secret"), "secret");
    await symlink(join(outside, "secret"), at("brew", "SKILL.md"));
    await run("skill", "export", target, "--force");
    expect(await readFile(join(outside, "secret"), "utf8")).toBe("secret");
    expect((await lstat(at("brew", "SKILL.md"))).isSymbolicLink()).toBe(true);
  });

  it("ctxdb skill export changes names that are unsafe in a file system", async () => {
    for (const name of ["..hidden", "con.md", "-rf", "Same.md", "same.md", "a:b*c.md"])
      await write(`ctx://agent/skills/pour/${name}`, name);
    await call("POST fs/mv", { from_uri: "ctx://agent/skills/brew", to_uri: "ctx://agent/skills/..~brew" });
    const { code, skills } = await report("skill", "export", target);
    expect({ code, skills }).toEqual({ code: 0, skills: 2 });
    expect((await readdir(target)).sort()).toEqual([".ctxdb-skills.json", "brew", "pour"]);
    const names = await readdir(at("pour"));
    expect(names.sort()).toEqual(["Same.md", "SKILL.md", "_con.md", "a-b-c.md", "rf", "same-2.md"].sort());
  });
});

describe("ctxdb skill sync", () => {
  it("ctxdb skill sync deletes exported files that the server no longer has, and nothing else", async () => {
    await run("skill", "export", target);
    await mkdir(at("mine"));
    await writeFile(at("mine", "SKILL.md"), document("mine"));
    await writeFile(at("pour", "note.md"), "mine");
    for (const name of ["brew", "pour"]) await call(`DELETE skills/${name}`);
    expect(await report("skill", "sync", target)).toMatchObject({
      code: 0,
      removed: ["brew/SKILL.md", "brew/scripts/heat.sh", "pour/SKILL.md"],
    });
    expect((await readdir(target)).sort()).toEqual([".ctxdb-skills.json", "mine", "pour"]);
    expect(await readdir(at("pour"))).toEqual(["note.md"]);
  });

  it("ctxdb skill sync keeps a file that was changed in the folder after its skill was deleted", async () => {
    await run("skill", "sync", target);
    await writeFile(at("pour", "SKILL.md"), "mine");
    await call("DELETE skills/pour");
    expect(await report("skill", "sync", target)).toMatchObject({ code: 1, removed: [] });
    expect(await readFile(at("pour", "SKILL.md"), "utf8")).toBe("mine");
    expect(await report("skill", "sync", target, "--force")).toMatchObject({
      code: 0,
      removed: ["pour/SKILL.md"],
    });
  });

  it("ctxdb skill sync deletes nothing outside the folder, even if a forged record names it", async () => {
    const victim = join(folder.path, "victim");
    await writeFile(victim, "");
    await mkdir(target);
    const hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    for (const path of ["../victim", "a/../../victim", victim, "a\\..\\victim", "victim"]) {
      await writeFile(at(".ctxdb-skills.json"), JSON.stringify({ files: { [path]: hash } }));
      expect((await run("skill", "sync", target)).err).toContain("is damaged");
    }
    await symlink(folder.path, at("link"));
    await writeFile(at(".ctxdb-skills.json"), JSON.stringify({ files: { "link/victim": hash } }));
    expect(await run("skill", "sync", target)).toMatchObject({ code: 1 });
    expect(await readFile(victim, "utf8")).toBe("");
  });
});
