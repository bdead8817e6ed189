import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
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

describe("somebody who opens Studio on an empty server without keys", () => {
  it("a new user adds a folder, searches, reads, holds a session and sees its memories in Studio", async () => {
    const folder = await temporaryFolder();
    const notes = join(folder.path, "harbour");
    await mkdir(join(notes, "boats"), { recursive: true });
    await writeFile(join(notes, "lighthouse.md"), "# Lighthouse\n\nThe keeper trims the lamp at dusk.\n");
    await writeFile(
      join(notes, "boats", "ferry.md"),
      "# Ferry\n\nThe ferry leaves every hour from pier three.\n",
    );
    const { page, faults, go, close } = await openTab(browser, server.url);

    await go("/");
    await page.getByRole("heading", { name: "Drop a folder here" }).waitFor();
    await page.getByLabel("Folder to upload").setInputFiles(notes);
    await page.getByRole("region", { name: "Uploads" }).getByText("Done").waitFor();
    await page.getByRole("region", { name: "Uploads" }).getByRole("button", { name: "Close" }).click();
    await page.getByText("Resource nodes").waitFor();

    await page.getByRole("link", { name: "Search lab" }).click();
    await page.getByLabel("Question").fill("when does the ferry leave?");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    const hit = page.getByRole("link", { name: /ferry\.md/ }).first();
    await hit.waitFor();
    await expect.poll(() => page.locator("mark").first().textContent()).toMatch(/ferry/i);
    await hit.click();
    await page.getByText("The ferry leaves every hour from pier three.").last().waitFor();

    await page.getByRole("link", { name: "Sessions" }).click();
    await page.getByRole("button", { name: "New" }).click();
    await page.getByLabel("Message").fill("My name is Ann. I prefer green tea over coffee.");
    await page.getByLabel("Message").press("Enter");
    await page.getByText("I prefer green tea over coffee.").waitFor();
    await page.getByLabel("Message").fill("Noted, Ann.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Noted, Ann.").first().waitFor();
    await page.getByRole("button", { name: "Commit" }).click();
    await page.getByRole("link", { name: "See the memories" }).click();

    await page
      .getByRole("button", { name: /prefers green tea/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "Made of" }).waitFor();
    await page
      .getByRole("link", { name: /^Message/ })
      .first()
      .click();
    await page.getByRole("tab", { name: "Archives", selected: true }).waitFor();
    await page.getByText("My name is Ann. I prefer green tea over coffee.").last().waitFor();
    await page.getByRole("tab", { name: "What a model gets" }).click();
    await page.getByRole("heading", { name: "Overview of the last archive" }).waitFor();

    expect(faults).toEqual([]);
    await close();
    await folder.remove();
  });
});
