import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openTab } from "./browser.ts";
import { type BuiltServer, startServer } from "./server.ts";

let server: BuiltServer;
let browser: Browser;

const NOTES = {
  "tea.md": "# Tea\n\nGreen tea is brewed at 80 degrees.\n",
  "coffee.md": "# Coffee\n\nCoffee is brewed at 95 degrees.\n",
  "boats.md": "# Boats\n\nThe ferry leaves from pier three.\n",
};

beforeAll(async () => {
  server = await startServer();
  browser = await launch();
  for (const [name, content] of Object.entries(NOTES))
    await server.rest("POST content/write", {
      uri: `ctx://resources/notes/${name}`,
      content,
      mode: "create",
    });
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe("the search lab", () => {
  it("the search lab shows hits with marked words and reasons, and how the tree was explored", async () => {
    const { page, faults, go, close } = await openTab(browser, server.url);
    await go("/search?q=how+hot+is+green+tea");
    await page.getByRole("link", { name: "ctx://resources/notes/tea.md" }).waitFor();
    expect(await page.locator("mark").allTextContents()).toContain("tea");
    await page
      .getByText(/^Why: /)
      .first()
      .click();
    await page.getByText("Hotness").first().waitFor();
    await page.getByRole("tab", { name: "Exploration" }).click();
    await page.getByText("ctx://resources/notes").first().waitFor();
    await page.getByRole("button", { name: "From the start" }).click();
    await page.getByText(/Step 0 of/).waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("opened 1.").waitFor();
    await page
      .getByText(/^opened ctx:\/\/\S+, promise 0\.\d{3}; the best hits (?:changed|stood still)/)
      .waitFor();
    await page.getByRole("button", { name: "From the start" }).click();
    await page.getByRole("button", { name: "To the end" }).click();
    await page.getByText(/the search ends here/).waitFor();
    await page.getByRole("tab", { name: "Why is it not here?" }).click();
    await page.getByLabel("A file or folder that you expected").fill("ctx://resources/notes/tea.md");
    await page.getByRole("button", { name: "Look it up" }).click();
    await page.getByText("It is among the hits.").waitFor();
    await page.getByRole("button", { name: "Copy as code" }).click();
    const dialog = page.getByRole("dialog", { name: "API calls" });
    await dialog.getByRole("button", { name: "search.find" }).first().click();
    await dialog.getByText("curl -X POST").waitFor();
    await dialog.getByRole("button", { name: "Python" }).click();
    await dialog.getByText('client.search.find(query="how hot is green tea"').waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("the search lab compares two searches with separate settings, and plans a search", async () => {
    const { page, faults, go, close } = await openTab(browser, server.url);
    await go("/search?q=brewed");
    await page.getByRole("button", { name: "Compare two" }).click();
    const second = page.getByRole("region", { name: "Search B" });
    await second.getByRole("button", { name: "Options" }).click();
    await second.getByLabel("Operation").selectOption("search");
    await second.getByLabel("Search in").fill("ctx://resources/notes/coffee.md");
    await second.getByRole("button", { name: "Search", exact: true }).click();
    await second.getByRole("tab", { name: "1 hit" }).waitFor();
    const both = page.getByRole("table", { name: "Hits of both searches" });
    await both
      .getByRole("row", { name: /coffee\.md/ })
      .getByText(/^1\./)
      .last()
      .waitFor();
    await both.getByText("gone").first().waitFor();
    await second.getByRole("tab", { name: "Plan" }).click();
    await second.getByText("“brewed”").first().waitFor();
    await second.getByRole("tab", { name: "Exploration" }).click();
    await second.getByText(/^Step \d+ of \d+$/).waitFor();
    await second.getByLabel("Filter (JSON)").fill("[1]");
    await second.getByRole("button", { name: "Search", exact: true }).click();
    await second.getByText("The filter must be an object").waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
