import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launch, openTab, type Tab } from "./browser.ts";
import { type BuiltServer, startServer } from "./server.ts";

let server: BuiltServer;
let browser: Browser;
let tab: Tab;

/** The shortest PDF with a page that contains words. */
const PDF = `%PDF-1.1
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 144]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 52>>stream
BT /F1 18 Tf 10 80 Td (A lighthouse on paper) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

beforeAll(async () => {
  server = await startServer();
  browser = await launch();
  await write("ctx://resources/notes/tea.md", "# Tea\n\nGreen tea is brewed at 80 degrees.\n");
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

const write = (uri: string, content: string) =>
  server.rest("POST content/write", { uri, content, mode: "create" });
const node = (uri: string, view = "content") => `/explorer?uri=${encodeURIComponent(uri)}&view=${view}`;
const uploads = (page: Page) => page.getByRole("region", { name: "Uploads" });

async function act(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name }).click();
}

describe("the explorer", () => {
  it("the explorer moves a file with a dialog, then shows it at its new path", async () => {
    const { page, go } = tab;
    await write("ctx://resources/old/a.md", "# A\n");
    await go(node("ctx://resources/old/a.md"));
    await act(page, "Move or rename");
    await page.getByLabel("New URI").fill("ctx://resources/new/place/b.md");
    await page.getByRole("button", { name: "Move", exact: true }).click();
    await page.getByRole("heading", { name: "b.md", level: 1 }).waitFor();
    await page.getByRole("treeitem", { name: "place" }).waitFor();
    expect(await server.rest<string>("GET content/read?uri=ctx://resources/new/place/b.md")).toBe("# A\n");
  });

  it("the explorer copies a folder and opens the copy", async () => {
    const { page, go } = tab;
    await write("ctx://resources/original/a.md", "# A\n");
    await go(node("ctx://resources/original"));
    await act(page, "Copy");
    await page.getByLabel("URI of the copy").fill("ctx://resources/copies/second");
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByText("Copied 2 nodes to ctx://resources/copies/second").waitFor();
    await page.getByRole("heading", { name: "second", level: 1 }).waitFor();
    expect(await server.rest<string>("GET content/read?uri=ctx://resources/copies/second/a.md")).toBe(
      "# A\n",
    );
    expect(await server.rest<string>("GET content/read?uri=ctx://resources/original/a.md")).toBe("# A\n");
  });

  it("the explorer uploads a dropped folder with its subfolders and shows their origin", async () => {
    const { page, go } = tab;
    await go(node("ctx://resources"));
    const heading = page.getByRole("heading", { name: "resources", level: 1 });
    await heading.waitFor();
    // a page cannot create file system entries, so these objects replace those of a drag from the desktop
    await heading.evaluate((element) => {
      const file = (name: string, text: string) => ({
        isDirectory: false,
        name,
        fullPath: `/harbour/${name}`,
        file: (done: (file: File) => void) => done(new File([text], name)),
      });
      const folder = (name: string, path: string, children: object[]) => ({
        isDirectory: true,
        name,
        fullPath: path,
        createReader: () => {
          const lists = [children, []];
          return { readEntries: (done: (entries: object[]) => void) => done(lists.shift() ?? []) };
        },
      });
      const boats = folder("boats", "/harbour/boats", [
        { ...file("ferry.md", "# Ferry\n\nEvery hour.\n"), fullPath: "/harbour/boats/ferry.md" },
      ]);
      const root = folder("harbour", "/harbour", [boats, file("pier.md", "# Pier\n\nOf stone.\n")]);
      const event = new DragEvent("drop", { bubbles: true, cancelable: true });
      const transfer = {
        types: ["Files"],
        items: [{ webkitGetAsEntry: () => root, getAsFile: () => null }],
        getData: () => "",
      };
      Object.defineProperty(event, "dataTransfer", { value: transfer });
      element.dispatchEvent(event);
    });
    await uploads(page).getByText("Done").waitFor();
    const { uri } = await server.rest<{ uri: string }>(
      "GET fs/stat?uri=ctx://resources/harbour/boats/ferry.md",
    );
    await go(node(uri, "details"));
    await page.getByRole("heading", { name: "Provenance" }).waitFor();
    await page.getByRole("button", { name: "ctx://resources/harbour", exact: true }).waitFor();
    await page.getByText("harbour.zip").waitFor();
    await go(node("ctx://resources/notes/tea.md", "details"));
    await page.getByText("It was written here, not imported.").waitFor();
  });

  it("the explorer shows the progress of an upload and can cancel the upload", async () => {
    const { page, go } = tab;
    await go(node("ctx://resources"));
    await page.getByRole("heading", { name: "resources", level: 1 }).waitFor();
    let refused = 0;
    await page.route(/resources\/temp_upload/, async () => {
      refused++;
    });
    await page.getByLabel("Files to upload").setInputFiles([
      { name: "slow.txt", mimeType: "text/plain", buffer: Buffer.from("slow") },
      { name: "later.txt", mimeType: "text/plain", buffer: Buffer.from("later") },
    ]);
    await uploads(page).getByRole("progressbar", { name: "Uploading: slow.txt" }).waitFor();
    await uploads(page).getByRole("progressbar", { name: "Waiting: later.txt" }).waitFor();
    await uploads(page).getByRole("button", { name: "Cancel later.txt" }).click();
    await uploads(page).getByRole("button", { name: "Cancel slow.txt" }).click();
    await expect.poll(() => uploads(page).getByText("Cancelled").count()).toBe(2);
    expect(refused).toBe(1);
    await uploads(page).getByRole("button", { name: "Close" }).click();
    await uploads(page).waitFor({ state: "detached" });
    await expect(server.rest("GET fs/stat?uri=ctx://resources/slow")).rejects.toThrow(/not found/);
  });

  it("the explorer offers a binary original as a download that browsers do not open as a page", async () => {
    const { page, go } = tab;
    await go(node("ctx://resources"));
    await page
      .getByLabel("Files to upload")
      .setInputFiles({ name: "paper.pdf", mimeType: "application/pdf", buffer: Buffer.from(PDF) });
    await uploads(page).getByText("Done").waitFor();
    await go(node("ctx://resources/paper/paper.pdf"));
    await page.getByText("This file is not text").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /^Download/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("paper.pdf");
    const answer = await fetch(`${server.url}/api/v1/content/download?uri=ctx://resources/paper/paper.pdf`);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    await answer.body?.cancel();
  });

  it("the explorer shows the versions of a file and their changes, and restores one", async () => {
    const { page, go } = tab;
    const uri = "ctx://resources/notes/cocoa.md";
    await write(uri, "# Cocoa\n\nWith milk.\n");
    await server.rest("POST content/write", { uri, content: "# Cocoa\n\nWith water.\n" });
    await go(node(uri, "versions"));
    const versions = page.getByRole("tabpanel").getByRole("listitem");
    const [current, first] = [versions.first(), versions.last()];
    await current.getByRole("button", { name: "Changes" }).click();
    await current.getByText("1 line added and 1 line removed since version 1.").waitFor();
    await current.getByText("-With milk.").waitFor();
    await current.getByText("+With water.").waitFor();
    await first.getByRole("button", { name: "Text" }).click();
    await first.getByText("With milk.").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      first.getByRole("button", { name: "Download version 1" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("version-1-cocoa.md");
    await first.getByRole("button", { name: "Restore" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await page.getByText("Version 3", { exact: true }).waitFor();
    expect(await server.rest<string>(`GET content/read?uri=${uri}`)).toContain("With milk.");
  });

  it("the explorer refreshes a resource at once or on schedule, and explains why another cannot be refreshed", async () => {
    const { page, go } = tab;
    await go(node("ctx://resources/notes"));
    await act(page, "Refresh from its source");
    await page.getByRole("status").getByText(/notes/).last().waitFor();
    await page.getByRole("button", { name: "Dismiss" }).first().click();
    const { root_uri } = await server.rest<{ root_uri: string }>("POST resources", {
      path: `${process.cwd()}/LICENSE`,
      parent: "ctx://resources",
      wait: true,
    });
    await go(node(root_uri));
    await act(page, "Refresh from its source");
    await page.getByText(/^Refreshing LICENSE\./).waitFor();
    await act(page, "Refresh on schedule");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Minutes between two runs").fill("120");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const schedules = () => server.rest<{ interval_seconds: number }[]>("GET resources/schedules");
    await expect.poll(async () => (await schedules()).map((one) => one.interval_seconds)).toEqual([7200]);
    await act(page, "Refresh on schedule");
    await dialog.getByText("Last run", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Pause" }).click();
    await dialog.getByText("paused: paused by a user").waitFor();
    await dialog.getByRole("button", { name: "Delete the schedule" }).click();
    await expect.poll(schedules).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  it("the explorer opens a related file from the graph and removes the relation", async () => {
    const { page, go } = tab;
    await server.rest("POST relations/link", {
      from_uri: "ctx://resources/notes",
      to_uri: "ctx://resources/notes/tea.md",
      reason: "about tea",
    });
    await go(node("ctx://resources/notes/tea.md", "relations"));
    await page.getByText("about tea").waitFor();
    await page.getByLabel("is linked from").waitFor();
    await page.locator("svg text", { hasText: /^notes$/ }).click();
    await page.getByRole("heading", { name: "notes", level: 1 }).waitFor();
    await page.getByRole("tab", { name: "Relations" }).click();
    await page.getByRole("button", { name: "Remove the link to ctx://resources/notes/tea.md" }).click();
    await page.getByText("No relations").waitFor();
  });
});

describe("the shell", () => {
  it("Studio switches its theme, keeps it after a reload, and runs actions of the palette", async () => {
    const { page, go } = tab;
    await go("/");
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains("dark"));
    expect(await isDark()).toBe(false);
    await page.getByRole("button", { name: "Theme: as the system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    expect(await isDark()).toBe(true);
    await page.reload();
    await page.getByRole("button", { name: "Theme: dark" }).waitFor();
    expect(await isDark()).toBe(true);
    await page.keyboard.press("Control+k");
    const input = page.getByRole("dialog").getByRole("combobox");
    await input.fill("ctx://resources/notes/tea.md");
    await page.getByRole("option", { name: "Open ctx://resources/notes/tea.md", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "tea.md", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await input.fill("calls as code");
    await page.getByRole("option", { name: /API calls as code/ }).click();
    await page.getByRole("dialog", { name: "API calls" }).waitFor();
  });

  it("Studio switches the agent and shows its name", async () => {
    const { page, go } = tab;
    await go("/");
    await page.getByRole("button", { name: /no keys · agent default/ }).click();
    await page.getByRole("menuitem", { name: /Switch/ }).click();
    await page.getByLabel("Agent").fill("helper");
    await page.getByRole("button", { name: "Switch", exact: true }).click();
    await page.getByText("agent helper").waitFor();
  });

  it("Studio opens and closes its navigation on a narrow screen", async () => {
    const narrow = await openTab(browser, server.url, { width: 390, height: 844 });
    await narrow.go("/");
    await narrow.page.getByRole("button", { name: "Open navigation" }).click();
    await narrow.page.getByRole("link", { name: "Memories" }).click();
    await narrow.page.getByRole("heading", { name: "Memories", level: 1 }).waitFor();
    await narrow.page.getByRole("button", { name: "Open navigation" }).waitFor();
    await narrow.go("/explorer");
    await narrow.page.getByRole("button", { name: "Tree" }).click();
    await narrow.page.getByRole("treeitem", { name: "notes" }).click();
    await narrow.page.getByRole("heading", { name: "notes", level: 1 }).waitFor();
    expect(narrow.faults).toEqual([]);
    await narrow.close();
  });
});
