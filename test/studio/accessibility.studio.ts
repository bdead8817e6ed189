import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebhookReceiver } from "../support/webhook-receiver.ts";
import { launch, openTab } from "./browser.ts";
import { type BuiltServer, ROOT_KEY, startServer } from "./server.ts";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * In CSS pixels: each screen is loaded at the size of a laptop, then resized to a phone and a large monitor.
 */
const WIDTHS = [1280, 390, 1920] as const;
const HEIGHT = 800;

/** Two samples 10 s apart, and the request that reads them. */
const PLOTS_LIMIT_MS = 40_000;

let server: BuiltServer;
let keyed: BuiltServer;
let browser: Browser;
let session: string;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.open();
  server = await startServer({
    settings: { CTXDB_WEBHOOK_ALLOW_PRIVATE: "true", CTXDB_WEBHOOK_ATTEMPTS: "1" },
  });
  keyed = await startServer({ keyed: true });
  await keyed.rest("POST admin/accounts", { account_id: "harbour", admin_user_id: "ada" });
  await keyed.rest("POST admin/accounts/harbour/groups", { group_id: "pilots" });
  browser = await launch();
  const content =
    "# Tea\n\nGreen [tea](https://example.com) is `hot`.\n\n- [ ] brew\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst tea = 80; // degrees\n```\n";
  await server.rest("POST content/write", {
    uri: "ctx://resources/notes/tea.md",
    content,
    mode: "create",
    wait: true,
  });
  const earlier = content.replace("hot", "cold");
  for (const text of [earlier, content])
    await server.rest("POST content/write", { uri: "ctx://resources/notes/tea.md", content: text });
  await server.rest("POST relations/link", {
    from_uri: "ctx://resources/notes/tea.md",
    to_uri: "ctx://resources/notes",
    reason: "home",
  });
  await server.rest("POST skills", {
    data: {
      name: "brew",
      description: "Brews tea. Use when tea is asked for.",
      content: "# Brew\n\nBoil water.",
    },
  });
  await server.rest("POST content/write", {
    uri: "ctx://resources/notes/old.md",
    content: "# Old\n",
    mode: "create",
  });
  const everyone = { grantee_type: "everyone", level: "write", effect: "deny" };
  const agent = { grantee_type: "agent", grantee_id: "helper", level: "read" };
  await server.rest("POST access/grants", { uri: "ctx://resources/notes", ...everyone });
  await server.rest("POST access/grants", { uri: "ctx://resources/notes/tea.md", ...agent });
  receiver.answer = () => 500;
  await server.rest("POST webhooks", { url: receiver.url, description: "Builds the pages" });
  await server.rest("POST snapshots", { name: "before", uri: "ctx://resources/notes" });
  await server.rest("DELETE fs?uri=ctx://resources/notes/old.md");
  ({ session_id: session } = await server.rest<{ session_id: string }>("POST sessions", {}));
  const say = (text: string) =>
    server.rest(`POST sessions/${session}/messages`, { role: "user", content: text });
  await say("My name is Ann. I prefer green tea over coffee.");
  await server.rest(`POST sessions/${session}/commit`, {});
  await say("And now?");
});
afterAll(async () => {
  await browser.close();
  await server.close();
  await keyed.close();
  await receiver.close();
});

const node = encodeURIComponent("ctx://resources/notes/tea.md");

/** Every screen, with its content after loading. */
const SCREENS = (): Readonly<Record<string, (page: Page) => Promise<unknown>>> => ({
  "/": async (page) => {
    await page.getByText("All parts work").waitFor();
    await page.getByRole("img", { name: /^Requests since .*highest/ }).waitFor({ timeout: PLOTS_LIMIT_MS });
  },
  [`/explorer?uri=${node}`]: (page) => page.getByRole("heading", { name: "Tea", exact: true }).waitFor(),
  [`/explorer?uri=${node}&view=relations`]: (page) => page.getByText(/^home · /).waitFor(),
  [`/explorer?uri=${node}&view=chunks`]: (page) => page.getByText("static-128").first().waitFor(),
  [`/explorer?uri=${node}&view=details`]: (page) => page.getByText("Created").waitFor(),
  [`/explorer?uri=${node}&view=versions`]: async (page) => {
    await page.getByRole("button", { name: "Changes" }).first().click();
    await page.getByText("1 line added and 1 line removed since version 2.").waitFor();
  },
  [`/explorer?uri=${node}&view=access`]: async (page) => {
    await page.getByRole("table", { name: "Grants" }).getByText("Inherited").waitFor();
    await page.getByRole("tabpanel").getByLabel("User").fill("ann");
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByText("ann, acting as the agent default:").waitFor();
  },
  "/snapshots": async (page) => {
    await page.getByRole("button", { name: "Open before" }).click();
    await page.getByRole("table", { name: "Files of before" }).waitFor();
    await page.getByRole("table", { name: "Changes" }).waitFor();
  },
  "/trash": (page) => page.getByRole("table", { name: "Trash" }).waitFor(),
  "/webhooks": (page) => page.getByText("given up · 500").first().waitFor(),
  "/explorer?uri=ctx%3A%2F%2Fresources%2Fnone": (page) => page.getByRole("alert").waitFor(),
  "/search?q=tea": (page) => page.getByText("Why:").first().waitFor(),
  "/evaluation": (page) => page.getByText("No questions yet").waitFor(),
  [`/sessions?id=${session}`]: (page) => page.getByText("And now?").waitFor(),
  "/memories": (page) =>
    page
      .getByText(/prefers green tea/)
      .first()
      .waitFor(),
  [`/memories?uri=${encodeURIComponent("ctx://user/default/memories/profile.md")}`]: (page) =>
    page.getByRole("heading", { name: "Made of" }).waitFor(),
  [`/sessions?id=${session}&archive=1`]: (page) => page.getByText("My name is Ann.").last().waitFor(),
  "/skills?name=brew": (page) => page.getByText("Boil water.").waitFor(),
  "/tasks": (page) => page.getByText("Commit session").first().waitFor(),
  "/tasks?view=queues": (page) => page.getByRole("table", { name: "Queues" }).waitFor(),
  "/tasks?view=dead": (page) => page.getByRole("table", { name: "Dead letters" }).waitFor(),
  "/account": (page) => page.getByRole("meter", { name: "Storage", exact: true }).waitFor(),
  "/administration": (page) => page.getByText("This server has no keys").waitFor(),
  "/nowhere": (page) => page.getByText("There is no such page").waitFor(),
});

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

interface Checked {
  /** Menus are outside the page's landmarks, where assistive technology expects them. */
  readonly popups?: boolean;
}

/**
 * Returns axe's findings in both themes. These differ only in colours, so only the colour rules run twice.
 */
async function violations(page: Page, { popups = false }: Checked = {}): Promise<string[]> {
  await become(page, "light");
  const light = await run(page, { runOnly: RULES, rules: { region: { enabled: !popups } } });
  await become(page, "dark");
  const dark = await run(page, { runOnly: { type: "rule", values: COLOUR_RULES } });
  return [...light, ...dark];
}

/** Changes the theme and waits for the end of all colour transitions. */
async function become(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.waitForFunction(
    (isDark) =>
      document.documentElement.classList.contains("dark") === isDark &&
      !document.getAnimations().some((animation) => animation instanceof CSSTransition),
    theme === "dark",
  );
}

async function run(page: Page, options: object): Promise<string[]> {
  const found = await page.evaluate(async (given): Promise<Violation[]> => {
    const { axe } = globalThis as unknown as {
      axe: { run(root: Document, options: object): Promise<{ violations: Violation[] }> };
    };
    return (await axe.run(document, given)).violations;
  }, options);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

describe("in both themes", () => {
  it("axe finds no violation on any screen in narrow, usual and wide windows", {
    timeout: 480_000,
  }, async () => {
    const { page, faults, go, close } = await openTab(browser, server.url, { expected: /404/ });
    await page.addInitScript({ path: AXE });
    for (const [path, loaded] of Object.entries(SCREENS())) {
      await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
      await go(path);
      await loaded(page);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        expect([path, width, await violations(page)]).toEqual([path, width, []]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([path, width, overflow <= 0]).toEqual([path, width, true]);
      }
    }
    expect(faults).toEqual([]);
    await close();
  });

  it("axe finds no violation in the results of an evaluation and of two searches side by side", async () => {
    const { page, faults, go, close } = await openTab(browser, server.url);
    await page.addInitScript({ path: AXE });
    await go("/evaluation");
    const csv = "tea,ctx://resources/notes/tea.md\nlost,ctx://resources/none.md\n";
    await page
      .getByLabel("CSV file")
      .setInputFiles({ name: "q.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await page.getByRole("button", { name: "Options" }).click();
    for (let run = 1; run <= 2; run++) {
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await expect
        .poll(() => page.getByRole("table", { name: /^Runs/ }).getByRole("row").count())
        .toBe(run + 1);
    }
    await page.getByRole("heading", { name: "Misses (1)" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await go("/search?q=tea");
    await page.getByRole("button", { name: "Compare two" }).click();
    await page.getByRole("table", { name: "Hits of both searches" }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("axe finds no violation on the sign-in page and in the administration of a server with keys", async () => {
    const { page, go, close } = await openTab(browser, keyed.url, { expected: /401/ });
    await page.addInitScript({ path: AXE });
    await go("/administration?account=harbour&user=ada");
    await page.getByLabel("API key").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("API key").fill(ROOT_KEY);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Users of harbour" }).waitFor();
    await page.getByRole("button", { name: "Members of pilots" }).waitFor();
    await page.getByRole("table", { name: "Keys of ada" }).waitFor();
    await page.getByRole("table", { name: "Audit log" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await go("/");
    await page.getByRole("heading", { name: "Drop a folder here" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await close();
  });

  it("axe finds no violation in dialogues, menus, the palette and the editor", async () => {
    const { page, go, close } = await openTab(browser, server.url);
    await page.addInitScript({ path: AXE });
    await go(`/explorer?uri=${node}`);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Text of the file" }).waitFor();
    expect(await violations(page, { popups: true })).toEqual([]);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "More actions" }).click();
    expect(await violations(page, { popups: true })).toEqual([]);
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await violations(page, { popups: true })).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Share" }).click();
    await page.getByRole("dialog").getByLabel("Name").waitFor();
    expect(await violations(page, { popups: true })).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("tea");
    expect(await violations(page, { popups: true })).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Calls as code" }).click();
    await page.getByRole("button", { name: "Go", exact: true }).click();
    expect(await violations(page, { popups: true })).toEqual([]);
    await close();
  });
});
