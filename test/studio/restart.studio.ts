import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launch, openTab, type Tab } from "./browser.ts";
import { type BuiltServer, startServer } from "./server.ts";

let server: BuiltServer;
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  server = await startServer();
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  tab = await openTab(browser, server.url, {
    expected: /ERR_CONNECTION|ERR_EMPTY|Failed to load|status of 5/,
  });
});
afterEach(async () => {
  expect(tab.faults).toEqual([]);
  await tab.close();
});

const AWAY = "The server does not respond. Studio continues automatically when it is back.";

describe("a server that is killed and comes back", () => {
  it("Studio waits for a restarting server and continues without a reload", async () => {
    const { page, go } = tab;
    await go("/tasks?view=queues");
    await page.getByRole("table", { name: "Queues" }).waitFor();
    await page.evaluate(() => {
      document.title = "not loaded again";
    });
    await server.kill();
    await page.getByText(AWAY).waitFor();
    await server.start();
    await page.getByText(AWAY).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Explorer" }).click();
    await page.getByRole("treeitem", { name: "resources" }).waitFor();
    expect(await page.title()).toBe("not loaded again");
  });

  it("a text whose saving failed while the server was down is saved when the server is up again", async () => {
    const uri = "ctx://resources/draft.md";
    await server.rest("POST content/write", { uri, content: "# Draft\n", mode: "create" });
    const { page, go } = tab;
    await go(`/explorer?uri=${encodeURIComponent(uri)}`);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Text of the file" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Typed while the server was away.");
    await server.kill();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("UNAVAILABLE").waitFor();
    await server.start();
    await page.getByText(AWAY).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/^Saved draft\.md/).waitFor();
    expect(await server.rest<string>(`GET content/read?uri=${uri}`)).toContain(
      "Typed while the server was away.",
    );
  });

  it("an upload to an unreachable server fails with the reason, and succeeds when sent again", async () => {
    const { page, go } = tab;
    await go("/explorer");
    await page.getByRole("heading", { name: "resources", level: 1 }).waitFor();
    await server.kill();
    const file = { name: "again.txt", mimeType: "text/plain", buffer: Buffer.from("words") };
    await page.getByLabel("Files to upload").setInputFiles(file);
    const uploads = page.getByRole("region", { name: "Uploads" });
    await uploads.getByText("the upload of again.txt broke off").waitFor();
    await server.start();
    await page.getByText(AWAY).waitFor({ state: "detached" });
    await page.getByLabel("Files to upload").setInputFiles(file);
    await uploads.getByText("Done").waitFor();
  });
});
