import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ctxdb } from "../support/command-line.ts";
import { type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: Served;
let run: (...args: string[]) => ReturnType<typeof ctxdb>;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await serve({
    CTXDB_ROOT_API_KEY: undefined,
    CTXDB_GATEWAY_OPENAI_URL: "http://127.0.0.1:9/v1",
  });
  const env = { HOME: folder.path, CTXDB_ADDRESS: `http://127.0.0.1:${server.port}` };
  run = (...args) => ctxdb(["connect", ...args], { env });
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});

it("ctxdb connect --gateway connects, checks and disconnects an agent, and the check calls no provider", async () => {
  expect(await run("codex", "--gateway", "--check")).toMatchObject({
    code: 1,
    out: expect.stringMatching(/Gateway to openai +on/),
    err: expect.stringContaining("run `ctxdb connect codex --gateway`"),
  });
  expect(await run("codex", "--gateway")).toMatchObject({
    code: 0,
    out: expect.stringContaining("config.toml"),
  });
  expect(await run("codex", "--gateway", "--check")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/Connected +yes/),
  });
  expect((await run("--gateway")).out).toMatch(/^codex .* yes/m);
  expect((await run("codex", "--gateway", "--undo")).err).toContain("disconnected");
});

it("ctxdb connect --gateway --check names the missing setting of the server", async () => {
  await run("claude-code", "--gateway");
  expect(await run("claude-code", "--gateway", "--check")).toMatchObject({
    code: 1,
    out: expect.stringContaining("set CTXDB_GATEWAY_ANTHROPIC_URL"),
  });
  await run("claude-code", "--gateway", "--undo");
});

it("ctxdb connect refuses to combine hooks and the gateway, in either order", async () => {
  await run("opencode");
  expect(await run("opencode", "--gateway")).toMatchObject({
    code: 1,
    err: expect.stringContaining("first run `ctxdb connect opencode --undo`"),
  });
  await run("opencode", "--undo");
  await run("opencode", "--gateway");
  expect(await run("opencode")).toMatchObject({
    code: 1,
    err: expect.stringContaining("first run `ctxdb connect opencode --gateway --undo`"),
  });
});

it("ctxdb connect adds hooks even if a base URL other than the gateway's is set", async () => {
  const settings = join(folder.path, ".claude");
  await mkdir(settings, { recursive: true });
  await writeFile(
    join(settings, "settings.json"),
    '{ "env": { "ANTHROPIC_BASE_URL": "https://proxy.example" } }',
  );
  expect(await run("claude-code")).toMatchObject({ code: 0 });
  expect(await run("claude-code", "--undo")).toMatchObject({ code: 0 });
  await rm(settings, { recursive: true });
});

it("ctxdb connect --gateway refuses an agent without a setting for a base URL", async () => {
  expect(await run("cursor", "--gateway")).toMatchObject({
    code: 2,
    err: expect.stringContaining("choose one of claude-code, codex, opencode, zed"),
  });
});
