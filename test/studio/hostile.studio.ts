import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openTab, type Tab } from "./browser.ts";
import { HOSTILE_FILES, HOSTILE_MARKDOWN } from "./hostile-contents.ts";
import { type BuiltServer, startServer } from "./server.ts";

let server: BuiltServer;
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  server = await startServer({ settings: { CTXDB_WEBHOOK_ALLOW_PRIVATE: "true" } });
  browser = await launch();
  tab = await openTab(browser, server.url, { expected: /status of (?:400|404)/ });
});
afterAll(async () => {
  await tab.close();
  await browser.close();
  await server.close();
});

const create = (uri: string, content: string) =>
  server.rest("POST content/write", { uri, content, mode: "create" });

/** Checks that no script ran, that nothing was loaded from elsewhere, and that Studio is still shown. */
async function expectHarmless(page: Page, name: string): Promise<void> {
  const state = await page.evaluate(() => ({
    hacked: "hacked" in window || "hacked" in {},
    place: location.pathname.startsWith("/studio/"),
    navigation: document.querySelectorAll("nav[aria-label=Screens] a").length > 3,
    foreign: document.querySelectorAll(
      "main :is(script, iframe, object, embed, form[action], style, link, meta, base, video, audio, source)",
    ).length,
    handlers: [...document.querySelectorAll("main *")].filter((element) =>
      element.getAttributeNames().some((key) => key.startsWith("on")),
    ).length,
    links: [...document.querySelectorAll<HTMLAnchorElement>("main a[href]")].filter(
      ({ protocol }) => !/^(?:https?|mailto):$/.test(protocol),
    ).length,
    covered: document.elementFromPoint(20, 100)?.closest("aside") === null,
  }));
  const harmless = {
    hacked: false,
    place: true,
    navigation: true,
    foreign: 0,
    handlers: 0,
    links: 0,
    covered: false,
  };
  expect([name, state]).toEqual([name, harmless]);
  expect([name, tab.faults]).toEqual([name, []]);
}

async function open(page: Page, uri: string): Promise<void> {
  const path = `/explorer?uri=${encodeURIComponent(uri)}`;
  const head = page.locator("main h1").first();
  // a single page load is enough, and reveals what one content leaves behind for the next
  if (page.url().includes("/explorer?")) {
    const before = await head.textContent();
    await tab.follow(path);
    await expect.poll(() => head.textContent()).not.toBe(before);
  } else await tab.go(path);
  await page.getByRole("tabpanel").waitFor();
  // checked twice: between the file and its rendering the page briefly shows no sign of loading
  for (let quiet = 0; quiet < 2; ) {
    const loading = await page.getByRole("tabpanel").getByRole("status", { name: "Loading" }).count();
    quiet = loading === 0 ? quiet + 1 : 0;
    await page.evaluate(
      () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
    );
  }
}

describe("stored content that is hostile", () => {
  it("harmless Markdown is rendered with safe links and without remote images", async () => {
    await create(
      "ctx://resources/harmless.md",
      "# Title\n\n**bold** [web](https://example.com) ![x](https://attacker.example/x.png)",
    );
    await open(tab.page, "ctx://resources/harmless.md");
    expect(await tab.page.locator("main article strong").textContent()).toBe("bold");
    expect(await tab.page.locator("main article a").getAttribute("rel")).toContain("noopener");
    expect(await tab.page.locator("main article").textContent()).toContain("not loaded");
  });

  it.each(Object.keys(HOSTILE_MARKDOWN))("hostile Markdown is shown without harm: %s", async (name) => {
    const uri = `ctx://resources/hostile/${Object.keys(HOSTILE_MARKDOWN).indexOf(name)}.md`;
    await create(uri, HOSTILE_MARKDOWN[name] ?? "");
    await open(tab.page, uri);
    await expectHarmless(tab.page, name);
  });

  it.each(Object.keys(HOSTILE_FILES))("a hostile file is shown without harm: %s", async (name) => {
    await create(`ctx://resources/files/${name}`, HOSTILE_FILES[name] ?? "");
    await open(tab.page, `ctx://resources/files/${name}`);
    await expectHarmless(tab.page, name);
    await open(tab.page, "ctx://resources/files");
    await expectHarmless(tab.page, name);
  });

  it("hostile descriptions, reasons, skills, messages and tool outputs are shown as text", async () => {
    const evil = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> \u202eevil';
    await server.rest("POST fs/mkdir", { uri: "ctx://resources/described", description: evil });
    await create("ctx://resources/described/a.md", "# A");
    await server.rest("POST relations/link", {
      from_uri: "ctx://resources/described",
      to_uri: "ctx://resources/described/a.md",
      reason: evil,
    });
    await server.rest("POST skills", {
      data: { name: "evil", description: evil, content: `# Evil\n\n${evil}`, tags: [evil] },
    });
    const { session_id } = await server.rest<{ session_id: string }>("POST sessions", {});
    const tool = {
      type: "tool",
      tool_id: "1",
      tool_name: "evil",
      tool_input: { html: evil },
      tool_output: evil,
      tool_status: "completed",
    };
    await server.rest(`POST sessions/${session_id}/messages`, {
      role: "assistant",
      parts: [{ type: "text", text: evil }, tool],
    });
    const { page } = tab;
    await open(page, "ctx://resources/described");
    await expectHarmless(page, "a folder");
    await page.getByRole("tab", { name: "Relations" }).click();
    await page.getByText("evil").first().waitFor();
    await expectHarmless(page, "relations");
    await server.rest("POST webhooks", {
      url: `http://127.0.0.1:9/${encodeURIComponent(evil)}`,
      description: evil,
    });
    await tab.go("/webhooks");
    await page.getByText("evil").first().waitFor();
    await expectHarmless(page, "a webhook");
    await tab.go(`/explorer?uri=${encodeURIComponent("ctx://resources/described")}&view=access`);
    await page.getByRole("tabpanel").getByLabel("User").fill(evil);
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByRole("tabpanel").getByRole("alert").waitFor();
    await expectHarmless(page, "an explanation of access");
    await tab.go("/skills?name=evil");
    await page.getByRole("article").getByText("Evil", { exact: true }).waitFor();
    await expectHarmless(page, "a skill");
    await tab.go(`/sessions?id=${session_id}`);
    await page.locator("summary").first().click();
    await page.getByText("Output").waitFor();
    await expectHarmless(page, "a session");
    await tab.go(`/search?q=${encodeURIComponent(evil)}`);
    await page.getByRole("tablist", { name: "Results" }).waitFor();
    await expectHarmless(page, "a search");
  });
});
