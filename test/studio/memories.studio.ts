import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launch, openTab, type Tab } from "./browser.ts";
import { type BuiltServer, startServer } from "./server.ts";

let server: BuiltServer;
let browser: Browser;
let tab: Tab;
let session: string;

const say = (role: string, message: object) =>
  server.rest(`POST sessions/${session}/messages`, { role, ...message });
const commit = () => server.rest(`POST sessions/${session}/commit`, {});

beforeAll(async () => {
  server = await startServer();
  browser = await launch();
  ({ session_id: session } = await server.rest<{ session_id: string }>("POST sessions", {}));
  await say("user", { content: "My name is Ann. I live in Hamburg. I prefer green tea over coffee." });
  await say("assistant", { content: "Noted." });
  await commit();
  await say("user", { content: "I moved to Lübeck last week." });
  await commit();
  const tool = {
    type: "tool",
    tool_id: "1",
    tool_name: "search",
    tool_input: { query: "ferries" },
    tool_output: "pier three",
    tool_status: "completed",
  };
  await say("assistant", {
    parts: [
      { type: "text", text: "I look it up." },
      tool,
      { type: "context", uri: "ctx://resources/ferry.md" },
    ],
  });
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  tab = await openTab(browser, server.url, { expected: /status of 404/ });
});
afterEach(async () => {
  await tab.close();
  expect(tab.faults).toEqual([]);
});

const PREFERENCES = "ctx://user/default/memories/preferences";
const preference = async () =>
  (await server.rest<{ uri: string }[]>(`GET fs/ls?uri=${PREFERENCES}`))[0]?.uri ?? "";
const open = (uri: string) => `/memories?uri=${encodeURIComponent(uri)}`;

describe("the memories", () => {
  it("the memories screen searches by meaning, and shows categories, days and superseded memories", async () => {
    const { page, go } = tab;
    await go("/memories");
    await page.getByRole("heading", { name: "Profile", level: 2 }).waitFor();
    await page.getByRole("heading", { name: "Preferences", level: 2 }).waitFor();
    await page.getByRole("button", { name: "Timeline" }).click();
    await page
      .getByRole("heading", { level: 2, name: /20\d\d$/ })
      .first()
      .waitFor();
    await page.getByLabel("Search memories").fill("where does she live");
    await page.getByRole("heading", { name: "Best matches" }).waitFor();
    await page
      .getByRole("button", { name: /Lübeck/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "Superseded" }).waitFor();
    await page
      .getByText(/lives in Hamburg/)
      .last()
      .waitFor();
  });

  it("a memory links to its source messages in their archive", async () => {
    const { page, go } = tab;
    await go(open("ctx://user/default/memories/profile.md"));
    const made = page.getByRole("heading", { name: "Made of" }).locator("..");
    await made.getByRole("link", { name: "Message" }).first().click();
    await page.getByRole("tab", { name: "Archives", selected: true }).waitFor();
    const message = page.locator("li[aria-current=true]");
    await message.waitFor();
    expect(await message.textContent()).toMatch(/Hamburg|Lübeck/);
    expect(
      await message.evaluate((item) => {
        const { top, bottom } = item.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      }),
    ).toBe(true);
  });

  it("a memory is edited in place on the memories screen", async () => {
    const { page, go } = tab;
    const uri = await preference();
    await go(open(uri));
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Text of the file" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n- The user drinks no milk\n");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/^Saved /).waitFor();
    await page.getByText("The user drinks no milk").waitFor();
    expect(await server.rest<string>(`GET content/read?uri=${uri}`)).toContain("no milk");
  });

  it("forgetting a memory shows what will be removed, and also removes it from the conversation", async () => {
    const { page, go } = tab;
    const uri = await preference();
    await go(open(uri));
    await page.getByRole("button", { name: "Forget", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^This removes .*sentences of 1 message\.$/).waitFor();
    await dialog
      .getByText(/green tea/)
      .first()
      .waitFor();
    await dialog.getByRole("button", { name: "Forget", exact: true }).click();
    await page.getByText(/^Forgotten: /).waitFor();
    await page.getByRole("heading", { name: "Preferences", level: 2 }).waitFor({ state: "detached" });
    await expect(server.rest(`GET content/read?uri=${uri}`)).rejects.toThrow(/not found/);
    const { matches } = await server.rest<{ matches: unknown[] }>("POST search/grep", {
      uri: "ctx://session",
      pattern: "green tea",
    });
    expect(matches).toEqual([]);
  });

  it("forgetting by words asks for confirmation again after the words change", async () => {
    const { page, go } = tab;
    await go("/memories");
    await page.getByRole("button", { name: "Forget by words" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Words").fill("zeppelin");
    await dialog.getByRole("button", { name: "Show what would go" }).click();
    await dialog.getByText("This removes nothing.").waitFor();
    expect(await dialog.getByRole("button", { name: "Forget", exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel("Words").fill("Hamburg");
    await dialog.getByRole("button", { name: "Show what would go" }).click();
    await dialog.getByText(/^This removes 1 fact/).waitFor();
    await dialog.getByRole("button", { name: "Forget", exact: true }).click();
    await page.getByText(/^Forgotten: /).waitFor();
    const profile = await server.rest<string>("GET content/read?uri=ctx://user/default/memories/profile.md");
    expect(profile).toContain("Lübeck");
    expect(profile).not.toContain("Hamburg");
  });
});

describe("a session", () => {
  it("a session is shown as a chat with tool calls, and its context within a token budget", async () => {
    const { page, go } = tab;
    await go(`/sessions?id=${session}`);
    await page.getByText("I look it up.").waitFor();
    await page.locator("summary", { hasText: "search" }).click();
    await page.getByText("pier three").waitFor();
    await page.getByRole("link", { name: "ctx://resources/ferry.md" }).waitFor();
    await page.getByRole("tab", { name: "What a model gets" }).click();
    await page.getByText(/1 message, the overview of the last archive/).waitFor();
    await page.getByRole("slider", { name: "Budget" }).fill("7");
    await page.getByText("128 tokens", { exact: true }).waitFor();
    await page.getByText(/^About \d+ tokens/).waitFor();
  });

  it("a session can be started, committed, and deleted after its id is typed", async () => {
    const { page, go } = tab;
    await go("/sessions");
    await page.getByRole("button", { name: "New" }).click();
    await page.getByLabel("Message").fill("I work as a pilot.");
    await page.getByLabel("Message").press("Enter");
    await page.getByText("I work as a pilot.").waitFor();
    expect(await page.getByLabel("Who speaks").inputValue()).toBe("assistant");
    await page.getByRole("button", { name: "Commit" }).click();
    await page.getByText(/^Archived\./).waitFor();
    await page.getByText(/In all: 1 turn, 1 archive/).waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    const id = (await page.getByRole("heading", { level: 1 }).last().textContent()) ?? "";
    await page.getByRole("button", { name: "Delete this session" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Memories extracted from it stay").waitFor();
    await dialog.getByRole("textbox").fill(id);
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("Open a session, or start one").waitFor();
    await expect(server.rest(`GET sessions/${id}`)).rejects.toThrow(/not found/);
  });
});
