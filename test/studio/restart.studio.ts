import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openTab } from "./browser.ts";
import { type BuiltServer, startServer } from "./server.ts";

let server: BuiltServer;
let browser: Browser;

beforeAll(async () => {
  server = await startServer();
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe("a server that is killed and comes back", () => {
  it("is waited for without a reload: Studio says so, and goes on by itself", async () => {
    const { page, faults, go, close } = await openTab(browser, server.url, {
      expected: /ERR_CONNECTION|Failed to load|status of 5/,
    });
    await go("/tasks?view=queues");
    await page.getByRole("table", { name: "Queues" }).waitFor();
    await page.evaluate(() => {
      document.title = "not loaded again";
    });
    await server.kill();
    await page.getByText("The server does not answer").waitFor();
    await server.start();
    await page.getByText("The server does not answer").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Explorer" }).click();
    await page.getByRole("treeitem", { name: "resources" }).waitFor();
    expect(await page.title()).toBe("not loaded again");
    expect(faults).toEqual([]);
    await close();
  });
});
