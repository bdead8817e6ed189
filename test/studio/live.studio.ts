import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { launch, openTab, type Tab } from "./browser.ts";
import { type BuiltServer, startServer } from "./server.ts";

let server: BuiltServer;
let browser: Browser;
let tab: Tab;
let page: Page;

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
    expected: /status of (?:404|412|5)|ERR_CONNECTION|ERR_EMPTY|ERR_INCOMPLETE|Failed to load/,
  });
  page = tab.page;
});
afterEach(async () => {
  expect(tab.faults).toEqual([]);
  await tab.close();
});

const write = (uri: string, content: string, mode = "create") =>
  server.rest("POST content/write", { uri, content, mode });
const node = (uri: string) => `/explorer?uri=${encodeURIComponent(uri)}`;
const treeItem = (name: string) => page.getByRole("treeitem", { name, exact: true });

/** Marks the page, to check later that it was not reloaded. */
const mark = () =>
  page.evaluate(() => {
    document.title = "not loaded again";
  });

describe("changes that somebody else makes", () => {
  it("the explorer shows files that are added, moved, changed and removed elsewhere without a reload", async () => {
    await write("ctx://resources/live/first.md", "# First\n");
    await tab.go(node("ctx://resources/live/first.md"));
    await treeItem("live").click();
    await page.getByRole("button", { name: /first\.md/ }).waitFor();
    await mark();
    await write("ctx://resources/live/second.md", "# Second\n");
    await treeItem("second.md").waitFor();
    await page.getByRole("button", { name: /second\.md/ }).click();
    await page.getByRole("heading", { name: "Second", exact: true }).waitFor();
    await write("ctx://resources/live/second.md", "# Another\n", "replace");
    await page.getByRole("heading", { name: "Another", exact: true }).waitFor();
    await server.rest("POST fs/mv", {
      from_uri: "ctx://resources/live/first.md",
      to_uri: "ctx://resources/live/third.md",
    });
    await treeItem("third.md").waitFor();
    await treeItem("first.md").waitFor({ state: "detached" });
    await server.rest("DELETE fs?uri=ctx://resources/live/second.md");
    await treeItem("second.md").waitFor({ state: "detached" });
    await page.getByRole("alert").getByText("NOT_FOUND").waitFor();
    expect(await page.title()).toBe("not loaded again");
  });

  it("the explorer follows changes again after the server was killed and restarted", async () => {
    await write("ctx://resources/again/before.md", "# Before\n");
    await tab.go(node("ctx://resources/again/before.md"));
    await treeItem("before.md").waitFor();
    await mark();
    await server.kill();
    await page.getByText("The server does not respond").waitFor();
    await server.start();
    await page.getByText("The server does not respond").waitFor({ state: "detached" });
    await write("ctx://resources/again/after.md", "# After\n");
    await treeItem("after.md").waitFor();
    expect(await page.title()).toBe("not loaded again");
  });

  it("an edited text stays when its file is deleted elsewhere, and saving it reports the deletion", async () => {
    const uri = "ctx://resources/edited/draft.md";
    await write(uri, "# Draft\n");
    await tab.go(node(uri));
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Text of the file" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Words of an hour.");
    await server.rest(`DELETE fs?uri=${uri}`);
    await treeItem("draft.md").waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "Text of the file" }).getByText("Words of an hour.").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("NOT_FOUND").waitFor();
    await page.getByRole("textbox", { name: "Text of the file" }).getByText("Words of an hour.").waitFor();
  });

  it("a list of thousands of files keeps its scroll position while a file is added and one removed", async () => {
    const folder = await temporaryFolder();
    const root = join(folder.path, "many");
    await mkdir(root);
    const name = (at: number) => `note-${String(at).padStart(4, "0")}.txt`;
    const numbers = Array.from({ length: 5_100 }, (_, at) => at).filter((at) => at !== 1);
    await Promise.all(numbers.map((at) => writeFile(join(root, name(at)), "A note.\n")));
    const to = "ctx://resources/many";
    const { task_id } = await server.rest<{ task_id?: string }>("POST resources", {
      path: root,
      to,
      build_index: false,
    });
    await expect
      .poll(async () => (await server.rest<{ status: string }>(`GET tasks/${task_id}`)).status, {
        timeout: 60_000,
      })
      .toBe("completed");
    await folder.remove();
    await tab.go(node(`${to}/${name(0)}`));
    await treeItem(name(2)).waitFor();
    const tree = page.getByRole("tree");
    await tree.focus();
    const lines = () => tree.evaluate((box) => Math.round((box.firstElementChild?.clientHeight ?? 0) / 28));
    while ((await lines()) < numbers.length) {
      const before = await lines();
      await page.keyboard.press("End");
      await expect.poll(lines).toBeGreaterThan(before);
    }
    const place = await tree.evaluate((box) => box.scrollTop);
    const all = await lines();
    await write(`${to}/${name(1)}`, "Between.\n");
    await expect.poll(lines).toBe(all + 1);
    await server.rest(`DELETE fs?uri=${to}/${name(4)}`);
    await expect.poll(lines).toBe(all);
    expect(await tree.evaluate((box) => box.scrollTop)).toBe(place);
    await page.keyboard.press("Home");
    await treeItem(name(1)).waitFor();
    expect(await treeItem(name(4)).count()).toBe(0);
  });
});
