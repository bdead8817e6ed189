import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("resources/refresh", () => {
  let served: Served;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const rest = (line: string, body?: object) => served.rest(ROOT_KEY, line, body);
  const names = async (uri: string) => (await rest(`GET fs/ls?uri=${uri}&simple=true&recursive=true`)).result;
  beforeEach(async () => {
    folder = await temporaryFolder();
    for (const name of ["a.md", "b.md", "skipped/c.md"]) {
      await mkdir(join(folder.path, "docs", "skipped"), { recursive: true });
      await writeFile(join(folder.path, "docs", name), `# ${name}`);
    }
    served = await serve({ CTXDB_LOCAL_PATHS: folder.path, CTXDB_EMBEDDING_PROVIDER: "light" });
  });
  afterEach(async () => {
    await served.close();
    await folder.remove();
  });

  it("a refresh imports the source again with its first options, to the current URI of its root", async () => {
    await rest("POST resources", {
      path: join(folder.path, "docs"),
      ignore_dirs: "skipped",
      reason: "why",
      wait: true,
    });
    await rest("POST fs/mv", { from_uri: "ctx://resources/docs", to_uri: "ctx://resources/moved" });
    await writeFile(join(folder.path, "docs", "a.md"), "# a.md\n\nnewer words");
    await writeFile(join(folder.path, "docs", "d.md"), "# d.md");
    await rm(join(folder.path, "docs", "b.md"));
    const answer = await rest("POST resources/refresh", { uri: "ctx://resources/moved", wait: true });
    expect(answer.result).toMatchObject({ status: "success", root_uri: "ctx://resources/moved" });
    expect(await names("ctx://resources")).toEqual([
      "ctx://resources/moved",
      "ctx://resources/moved/a.md",
      "ctx://resources/moved/d.md",
    ]);
    expect((await rest("GET content/read?uri=ctx://resources/moved/a.md")).result).toContain("newer words");
    expect(
      JSON.parse(String((await rest("GET content/read?uri=ctx://resources/moved/.meta.json")).result)),
    ).toMatchObject({
      reason: "why",
    });
  });

  it("a scheduled refresh notices changes of a folder on the server long before its next run", async () => {
    const uri = "ctx://resources/docs";
    const seen = (path: string, words: string) =>
      vi.waitFor(
        async () =>
          expect((await rest(`GET content/read?uri=${uri}/${path}`)).result).toEqual(
            expect.stringContaining(words),
          ),
        { timeout: 30_000, interval: 100 },
      );
    await rest("POST resources", { path: join(folder.path, "docs"), wait: true });
    expect(await rest("PUT resources/schedules", { uri, interval_seconds: 86_400 })).toMatchObject({
      http: 200,
      result: { uri, state: "active", interval_seconds: 86_400 },
    });
    // a restarted server watches the folder again
    await served.restart();
    await writeFile(join(folder.path, "docs", "skipped", "c.md"), "# c.md\n\nnewer words");
    await seen("skipped/c.md", "newer words");
    const headers = { "x-api-key": ROOT_KEY };
    const metrics = await fetch(`http://127.0.0.1:${served.port}/metrics`, { headers });
    expect(await metrics.text()).toContain('ctxdb_refresh_schedules{state="active"} 1');
    const { result } = await rest("GET observer/audit?limit=50");
    expect(JSON.stringify(result)).toContain("ResourceService.ScheduleRefresh");
  });

  it("a refresh of a file or folder without a source is refused with the reason", async () => {
    await rest("POST content/write", { uri: "ctx://resources/own.md", content: "x", mode: "create" });
    expect(await rest("POST resources/refresh", { uri: "ctx://resources/own.md" })).toMatchObject({
      error: { code: "FAILED_PRECONDITION" },
    });
    expect(await rest("POST resources/refresh", { uri: "ctx://resources/none" })).toMatchObject({
      http: 404,
    });
    await rest("POST resources", { path: join(folder.path, "docs"), wait: true });
    await rm(join(folder.path, "docs"), { recursive: true });
    expect((await rest("POST resources/refresh", { uri: "ctx://resources/docs" })).error?.code).toBe(
      "NOT_FOUND",
    );
    expect(await names("ctx://resources/docs")).toContain("ctx://resources/docs/a.md");
  });
});
