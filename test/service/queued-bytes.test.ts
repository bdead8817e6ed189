import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

const LIMIT = 100_000;
const MOST_TRIES = 3;

describe("an account that has too much waiting", () => {
  let served: Served;
  beforeEach(async () => {
    served = await serve({ CTXDB_MAX_QUEUED_BYTES: String(LIMIT) });
  });
  afterEach(() => served.close());

  const as = (account: string) => ({ "X-Ctx-Account": account, "X-Ctx-User": "boss" });
  function upload(account: string, bytes: number) {
    const form = new FormData();
    form.append("file", new Blob(["x".repeat(bytes)]), "file.txt");
    return served.rest(ROOT_KEY, "POST resources/temp_upload", form, as(account));
  }
  const write = (account: string, uri: string, content: string) =>
    served.rest(ROOT_KEY, "POST content/write", { uri, content, mode: "create" }, as(account));

  it("an account with too much waiting work gets an error with the figures, and others are served", async () => {
    for (const account of ["full", "free"])
      await served.rest(ROOT_KEY, "POST admin/accounts", { account_id: account, admin_user_id: "boss" });
    expect((await upload("full", LIMIT - 20_000)).http).toBe(200);
    const refused = await upload("full", 30_000);
    expect([refused.http, refused.error?.code]).toEqual([429, "RESOURCE_EXHAUSTED"]);
    expect(refused.error?.details).toMatchObject({ unit: "bytes", limit: LIMIT });
    // the refused request has left nothing that counts
    expect((await upload("full", 15_000)).http).toBe(200);
    const text = "a word of many. ".repeat(1000);
    const over = await write("full", "ctx://resources/over.md", text);
    expect([over.http, over.error?.code]).toEqual([429, "RESOURCE_EXHAUSTED"]);
    expect(
      (await served.rest(ROOT_KEY, "GET fs/stat?uri=ctx://resources/over.md", undefined, as("full"))).http,
    ).toBe(404);
    expect((await write("free", "ctx://resources/over.md", text)).http).toBe(200);
    expect((await upload("free", 40_000)).http).toBe(200);
  });

  it("waiting text is no longer counted after its layers are made", async () => {
    // with its sections it is queued twice
    const text = "a word of many. ".repeat(2000);
    for (let i = 0; i < 6; i++) {
      let tries = 0;
      while ((await write("default", `ctx://resources/f${i}.md`, text)).http === 429) {
        expect(++tries).toBeLessThan(MOST_TRIES);
        await served.rest(ROOT_KEY, "POST system/wait", { timeout: 60 });
      }
    }
    expect(
      (await served.rest(ROOT_KEY, "GET fs/ls?uri=ctx://resources&simple=true", undefined, as("default")))
        .result,
    ).toHaveLength(12);
  });
});
