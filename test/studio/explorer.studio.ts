import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launch, openTab, type Tab } from "./browser.ts";
import { type BuiltServer, startServer } from "./server.ts";

let server: BuiltServer;
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  server = await startServer();
  browser = await launch();
  await write("ctx://resources/notes/tea.md", "# Tea\n\nGreen tea is brewed at 80 degrees.\n");
  await write("ctx://resources/notes/coffee.md", "# Coffee\n\nCoffee is brewed at 95 degrees.\n");
  await server.rest("POST fs/mkdir", { uri: "ctx://resources/archive" });
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  tab = await openTab(browser, server.url, { expected: /status of (?:400|404|412)/ });
});
afterEach(async () => {
  await tab.close();
  expect(tab.faults).toEqual([]);
});

const write = (uri: string, content: string, mode = "create") =>
  server.rest("POST content/write", { uri, content, mode });
const node = (uri: string) => `/explorer?uri=${encodeURIComponent(uri)}`;
const treeItem = (page: Page, name: string) => page.getByRole("treeitem", { name, exact: true });

async function act(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name }).click();
}

describe("the explorer", () => {
  it("the explorer opens a deep link, reveals it in the tree, and shows its three layers", async () => {
    const { page, go } = tab;
    await go(node("ctx://resources/notes/tea.md"));
    await page.getByRole("heading", { name: "Tea", exact: true }).waitFor();
    expect(await treeItem(page, "tea.md").getAttribute("aria-selected")).toBe("true");
    await page.getByText("L0").waitFor();
    await page.getByRole("tab", { name: "Overview (L1)" }).click();
    await page.getByRole("tabpanel").getByText(/tea/i).first().waitFor();
    await page.getByRole("tab", { name: "Chunks" }).click();
    await page.getByText("1 chunk.").waitFor();
    await page.getByRole("tabpanel").getByText("Green tea is brewed at 80 degrees.").waitFor();
    await page.getByRole("tab", { name: "Details" }).click();
    await page.getByText("Created").waitFor();
    await page.getByRole("navigation", { name: "Path" }).getByRole("link", { name: "notes" }).click();
    await page.getByRole("button", { name: /coffee\.md/ }).waitFor();
  });

  it("the explorer creates a folder and a file, edits it, and moves it by drag and drop", async () => {
    const { page, go } = tab;
    await go(node("ctx://resources"));
    await act(page, "New folder");
    await page.getByLabel("Name", { exact: true }).fill("made");
    await page.getByRole("button", { name: "Create folder" }).click();
    await page.getByRole("heading", { name: "made", level: 1 }).waitFor();
    await act(page, "New text file");
    await page.getByLabel("Name", { exact: true }).fill("first.md");
    await page.getByLabel("Text", { exact: true }).fill("# First\n\nA draft.\n");
    await page.getByRole("button", { name: "Create file" }).click();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Text of the file" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("One more line.");
    await page.keyboard.press("Control+s");
    await page.getByText("One more line.").waitFor();
    await treeItem(page, "first.md").dragTo(treeItem(page, "archive"));
    await page.getByText("Moved first.md to ctx://resources/archive").waitFor();
    expect(await server.rest<string>("GET content/read?uri=ctx://resources/archive/first.md")).toContain(
      "One more line.",
    );
  });

  it("leaving an unsaved text needs a confirmation, in the page and when the tab is closed", async () => {
    const { page, go } = tab;
    await write("ctx://resources/unsaved/a.md", "# A\n");
    const editor = page.getByRole("textbox", { name: "Text of the file" });
    const type = async () => {
      await go(node("ctx://resources/unsaved/a.md"));
      await page.getByRole("button", { name: "Edit" }).click();
      await editor.click();
      await page.keyboard.type("Not saved yet. ");
    };
    await type();
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    const leave = () => page.getByRole("link", { name: "Trash" }).first().click();
    await leave();
    await dialog.getByRole("button", { name: "Stay" }).click();
    await editor.getByText("Not saved yet.").waitFor();
    await leave();
    await dialog.getByRole("button", { name: "Discard changes and leave" }).click();
    await page.getByRole("heading", { name: "Trash", level: 1 }).waitFor();
    await type();
    const asked = page.waitForEvent("dialog");
    await page.reload();
    expect((await asked).type()).toBe("beforeunload");
    await page.getByRole("button", { name: "Edit" }).waitFor();
  });

  it("the explorer does not overwrite another caller's change until the user confirms", async () => {
    const { page, go } = tab;
    await go(node("ctx://resources/notes/coffee.md"));
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Text of the file" }).click();
    await page.keyboard.type("Mine. ");
    await write("ctx://resources/notes/coffee.md", "Theirs.\n", "replace");
    await page.getByRole("button", { name: "Save" }).click();
    const conflict = page.getByRole("alert");
    await conflict.getByText("Theirs.").waitFor();
    expect(await server.rest<string>("GET content/read?uri=ctx://resources/notes/coffee.md")).toBe(
      "Theirs.\n",
    );
    await conflict.getByRole("button", { name: "Replace it with my text" }).click();
    await page.getByText(/Saved coffee\.md/).waitFor();
    expect(await server.rest<string>("GET content/read?uri=ctx://resources/notes/coffee.md")).toContain(
      "Mine. ",
    );
  });

  it("the explorer links files, exports and imports a pack, and deletes a folder after its name is typed", async () => {
    const { page, go } = tab;
    await write("ctx://resources/gone/a.md", "# A\n\nA note about boats.\n");
    await go(node("ctx://resources/gone"));
    await act(page, "Link to another node");
    await page.getByLabel("URI of the other node").fill("ctx://resources/notes/tea.md");
    await page.getByLabel("Reason").fill("they belong together");
    await page.getByRole("button", { name: "Link", exact: true }).click();
    await page.getByRole("tab", { name: "Relations" }).click();
    await page.getByText("they belong together").waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), act(page, "Export as pack")]);
    expect(download.suggestedFilename()).toBe("gone.zip");
    const pack = await readFile(await download.path());
    expect(pack.subarray(0, 2).toString()).toBe("PK");
    await act(page, "Delete");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The folder and 1 node below it").waitFor();
    expect(await dialog.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill("gone");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await treeItem(page, "gone").waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "resources", level: 1 }).waitFor();
    await page
      .getByLabel("Pack to import")
      .setInputFiles({ name: "gone.zip", mimeType: "application/zip", buffer: pack });
    await treeItem(page, "gone").waitFor();
  });

  it("the trash screen restores deleted files, and empties the trash after a word is typed", async () => {
    const { page, go } = tab;
    await write("ctx://resources/mistake/a.md", "# A\n\nA note about kites.\n");
    await go(node("ctx://resources/mistake"));
    const remove = async () => {
      await act(page, "Delete");
      const dialog = page.getByRole("dialog");
      await dialog.getByText("It can be restored from the trash.").waitFor();
      await dialog.getByRole("textbox").fill("mistake");
      await dialog.getByRole("button", { name: "Delete" }).click();
      await treeItem(page, "mistake").waitFor({ state: "detached" });
    };
    await remove();
    await go("/trash");
    await page.getByRole("button", { name: "Restore mistake" }).click();
    await page.getByText("Restored ctx://resources/mistake").waitFor();
    expect(await server.rest<string>("GET content/read?uri=ctx://resources/mistake/a.md")).toContain("kites");
    await go(node("ctx://resources/mistake"));
    await remove();
    await go("/trash");
    await page.getByRole("button", { name: "Empty the trash" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill("empty");
    await dialog.getByRole("button", { name: "Empty the trash" }).click();
    await page.getByText("The trash is empty").waitFor();
  });

  it("the snapshots screen creates, compares, restores after a preview, and deletes after a name is typed", async () => {
    const { page, go } = tab;
    await write("ctx://resources/state/a.md", "# A\n\nThe first state.\n");
    await go("/snapshots");
    await page.getByRole("button", { name: "New snapshot" }).click();
    await page.getByLabel("Name", { exact: true }).fill("first-state");
    await page.getByLabel("Folder").fill("ctx://resources/state");
    await page.getByRole("button", { name: "Create snapshot" }).click();
    await page.getByText("Created the snapshot first-state").waitFor();
    await write("ctx://resources/state/b.md", "# B\n");
    await page.getByRole("button", { name: "Open first-state" }).click();
    await page.getByRole("table", { name: "Files of first-state" }).getByText("a.md").waitFor();
    const changes = page.getByRole("table", { name: "Changes" });
    await changes.getByRole("row", { name: /added.*b\.md/ }).waitFor();
    await page.getByRole("button", { name: "Restore first-state" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("1 added file or folder would go to the trash").waitFor();
    await dialog.getByLabel("Keep what was added since").check();
    await dialog.getByText("0 added files and folders would go to the trash").waitFor();
    await dialog.getByLabel("Keep what was added since").uncheck();
    await dialog.getByText("1 added file or folder would go to the trash").waitFor();
    expect(await dialog.getByRole("button", { name: "Restore snapshot" }).isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill("first-state");
    await dialog.getByRole("button", { name: "Restore snapshot" }).click();
    await page.getByText("Nothing differs.").waitFor();
    await page.getByRole("button", { name: "Delete first-state" }).click();
    await dialog.getByText("Contents that only this snapshot keeps").waitFor();
    await dialog.getByRole("textbox").fill("first-state");
    await dialog.getByRole("button", { name: "Delete snapshot" }).click();
    await page.getByText("No snapshots yet").waitFor();
  });

  it("the explorer keeps the newest list of a folder when an older one arrives late", async () => {
    const { page, go } = tab;
    const makeFolder = async (name: string) => {
      await act(page, "New folder");
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.getByRole("button", { name: "Create folder" }).click();
      await treeItem(page, "resources").click();
    };
    await go(node("ctx://resources"));
    await treeItem(page, "notes").waitFor();
    const lists = /FilesystemService\/ListEntries/;
    const late: (() => Promise<void>)[] = [];
    let isHeld = true;
    await page.route(lists, async (route) => {
      const held = isHeld;
      const response = await route.fetch();
      if (held) late.push(() => route.fulfill({ response }));
      else await route.fulfill({ response });
    });
    await makeFolder("early");
    await expect.poll(() => late.length).toBeGreaterThan(1);
    isHeld = false;
    await makeFolder("newer");
    await treeItem(page, "newer").waitFor();
    for (const answer of late) await answer();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    expect(await treeItem(page, "newer").count()).toBe(1);
    // after changes the lists are reloaded, and the end of the test cancels those requests
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  it("the explorer uploads dropped files and finds them by name and glob", async () => {
    const { page, go } = tab;
    await go(node("ctx://resources/archive"));
    await page.getByRole("heading", { name: "archive", level: 1 }).waitFor();
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(["Dropped words about windmills."], "windmill.txt", { type: "text/plain" }));
      return data;
    });
    await page
      .getByRole("heading", { name: "archive", level: 1 })
      .dispatchEvent("drop", { dataTransfer: transfer });
    await page.getByRole("region", { name: "Uploads" }).getByText("Done").waitFor();
    await page.getByPlaceholder("Name or glob: *.md").fill("windm");
    await page
      .getByRole("button", { name: /windmill\.txt/ })
      .first()
      .click();
    await page.getByText("Dropped words about windmills.").last().waitFor();
    await page.getByPlaceholder("Name or glob: *.md").fill("*.nothing");
    await page.getByText("No name matches").waitFor();
  });

  it("the explorer can be used with the keyboard only: tree, palette, shortcuts", async () => {
    const { page, go } = tab;
    await go(node("ctx://resources"));
    await treeItem(page, "notes").waitFor();
    await page.getByRole("tree").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    const isOpen = () => page.locator("#row-1").getAttribute("aria-expanded");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(isOpen).toBe("false");
    await page.keyboard.press("ArrowRight");
    await expect.poll(isOpen).toBe("true");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("tea.md");
    await page
      .getByRole("option", { name: /tea\.md/ })
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator("#content").focus();
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
  });
});
