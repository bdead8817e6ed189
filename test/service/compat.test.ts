import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Rulings X1 and X2: what agents written for the original send, and what they read. */
describe("CTXDB_COMPAT=openviking", () => {
  let served: Served;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder.path, "docs"));
    await writeFile(join(folder.path, "docs", "a.md"), "# Owls\n\nOwls see in the dark.");
    served = await serve({
      CTXDB_COMPAT: "openviking",
      CTXDB_LOCAL_PATHS: folder.path,
      CTXDB_EMBEDDING_PROVIDER: "light",
    });
    await served.rest(ROOT_KEY, "POST admin/accounts", { account_id: "acme", admin_user_id: "ann" });
  });
  afterAll(async () => {
    await served.close();
    await folder.remove();
  });
  const call = (line: string, body?: object) =>
    served.rest("", line, body, {
      "X-API-Key": "",
      "X-OpenViking-Account": "acme",
      "X-OpenViking-User": "ann",
      Authorization: `Bearer ${ROOT_KEY}`,
    });

  it("answers viking:// and reads ctx:// as well", async () => {
    const added = await call("POST resources", {
      path: join(folder.path, "docs"),
      to: "viking://resources/docs",
      wait: true,
    });
    expect(added.result).toMatchObject({ root_uri: "viking://resources/docs" });
    for (const scheme of ["viking", "ctx"])
      expect((await call(`GET content/read?uri=${scheme}://resources/docs/a.md`)).result).toContain(
        "Owls see",
      );
    const found = (await call("POST search/find", { query: "owls", target_uri: "ctx://resources" }))
      .result as {
      resources: { uri: string }[];
    };
    expect(found.resources[0]?.uri).toMatch(/^viking:\/\/resources\/docs/);
  });

  it("creates a session by its first message, but none that was deleted or whose name is no id", async () => {
    const say = (id: string) => call(`POST sessions/${id}/messages`, { role: "user", content: "hello" });
    expect((await say("new")).result).toMatchObject({ session_id: "new", message_count: 1 });
    expect((await say("new")).result).toMatchObject({ message_count: 2 });
    await call("DELETE sessions/new");
    expect(await say("new")).toMatchObject({ http: 410, error: { code: "SESSION_EXPIRED" } });
    expect(await say("-bad-")).toMatchObject({ http: 400, error: { details: { field: "session_id" } } });
    expect((await call("GET sessions/never")).http).toBe(404);
  });

  it.each([
    ["GET observer/vikingdb", undefined],
    ["POST sessions/kept/used", { contexts: ["viking://resources/docs/a.md"] }],
    ["POST sessions/kept/extract", {}],
    [
      "POST relations/link",
      { from_uri: "viking://resources/docs/a.md", to_uris: ["viking://resources/docs"], reason: "r" },
    ],
  ])("takes %s", async (line, body) => {
    await call("POST sessions/kept/messages", { role: "user", content: "hello" });
    expect((await call(line, body)).http).toBe(200);
  });
});

it("without it a message to a session that never was is refused, and the scheme is ctx", async () => {
  const served = await serve();
  const answer = await served.rest(ROOT_KEY, "POST sessions/none/messages", {
    role: "user",
    content: "hello",
  });
  expect(answer).toMatchObject({ http: 404, error: { code: "NOT_FOUND" } });
  expect((await served.rest(ROOT_KEY, "GET fs/ls?uri=viking://resources")).http).toBe(400);
  await served.close();
});
