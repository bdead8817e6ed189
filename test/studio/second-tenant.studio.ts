import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openTab, REFUSED, signIn, type Tab } from "./browser.ts";
import { type BuiltServer, startServer } from "./server.ts";

/** Occurs in everything that the first tenant stores: names, texts, reasons, sessions, skills. */
const MARK = "zanzibar";

let server: BuiltServer;
let browser: Browser;
let keys: { readonly admin: string; readonly user: string };
let session: string;

async function tenant(account: string, admin: string): Promise<string> {
  const { user_key } = await server.rest<{ user_key: string }>("POST admin/accounts", {
    account_id: account,
    admin_user_id: admin,
  });
  return user_key;
}

beforeAll(async () => {
  server = await startServer({ keyed: true, settings: { CTXDB_WEBHOOK_ALLOW_PRIVATE: "true" } });
  browser = await launch();
  const first = { "X-API-Key": await tenant(`${MARK}-works`, `${MARK}-ann`) };
  const of = <T>(call: string, body: object) => server.rest<T>(call, body, first);
  const uri = `ctx://resources/${MARK}/plan.md`;
  await of("POST content/write", { uri, content: `# ${MARK}\n\nThe ${MARK} plan.\n`, mode: "create" });
  await of("POST content/write", { uri: `ctx://resources/${MARK}/gone.md`, content: MARK, mode: "create" });
  await of("POST relations/link", { from_uri: uri, to_uri: `ctx://resources/${MARK}`, reason: MARK });
  await of("POST skills", {
    data: { name: MARK, description: `Does ${MARK}. Use when asked.`, content: `# ${MARK}` },
  });
  ({ session_id: session } = await of<{ session_id: string }>("POST sessions", {
    session_id: `${MARK}-talk`,
  }));
  await of(`POST sessions/${session}/messages`, { role: "user", content: `I prefer ${MARK} tea.` });
  await of(`POST sessions/${session}/commit`, {});
  await of(`POST admin/accounts/${MARK}-works/groups`, { group_id: MARK });
  await of("POST access/grants", { uri, grantee_type: "group", grantee_id: MARK, level: "read" });
  await of("POST webhooks", { url: `http://127.0.0.1:9/${MARK}`, description: MARK });
  await of(`DELETE fs?uri=ctx://resources/${MARK}/gone.md`, {});
  const admin = await tenant("second", "ben");
  const { user_key: user } = await server.rest<{ user_key: string }>(
    "POST admin/accounts/second/users",
    { user_id: "cem" },
    { "X-API-Key": admin },
  );
  keys = { admin, user };
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Every screen, with addresses that a user of the first tenant could have passed on. */
const SCREENS = [
  "/",
  "/explorer",
  `/explorer?uri=ctx://resources/${MARK}/plan.md`,
  `/explorer?uri=ctx://session/${MARK}-ann/${MARK}-talk&view=relations`,
  `/explorer?uri=ctx://user/${MARK}-ann/memories&view=details`,
  `/explorer?uri=ctx://resources/${MARK}&view=access`,
  "/explorer?uri=ctx://resources&view=access",
  `/search?q=${MARK}+plan`,
  "/evaluation",
  "/sessions",
  `/sessions?id=${MARK}-talk&archive=1`,
  "/memories",
  `/memories?uri=ctx://user/${MARK}-ann/memories/profile.md`,
  "/skills",
  `/skills?name=${MARK}`,
  "/tasks",
  "/tasks?view=queues",
  "/trash",
  "/snapshots",
  "/webhooks",
  "/account",
];
/** Additional screens that administrators of a workspace see. */
const OF_ADMINISTRATORS = ["/tasks?view=dead", "/administration", `/administration?account=${MARK}-works`];

/** Parts of the address itself that are displayed: names, the URI, and errors that contain it. */
const SHOWN_BACK = new RegExp(`^(?:${MARK}(?:-ann|-talk)?|plan\\.md)$|ctx://|"${MARK}|not found`);

/** Returns the lines of a screen that contain the first tenant's data. */
async function leaks({ page, go, quiet }: Tab, path: string): Promise<string[]> {
  await go(path);
  await quiet();
  const lines = (await page.evaluate(() => document.body.innerText)).split("\n");
  return lines.filter((line) => line.includes(MARK) && !(path.includes(MARK) && SHOWN_BACK.test(line)));
}

describe("a second tenant", () => {
  it.each(["admin", "user"] as const)(
    "a second tenant sees nothing of the first one on any screen or address, as %s",
    async (role) => {
      const tab = await openTab(browser, server.url, { expected: REFUSED });
      await tab.go("/");
      await signIn(tab.page, keys[role]);
      await tab.page.getByRole("heading", { name: "Welcome to ctxdb" }).waitFor();
      for (const path of role === "admin" ? OF_ADMINISTRATORS : SCREENS)
        expect([path, await leaks(tab, path)]).toEqual([path, []]);

      await tab.go("/explorer");
      await tab.page.getByPlaceholder("Name or glob: *.md").fill("plan");
      await tab.page.getByText("No name matches").waitFor();
      await tab.page.keyboard.press("Control+k");
      await tab.page.getByRole("combobox").fill("plan");
      await tab.page.getByRole("option", { name: "Search for “plan”" }).waitFor();
      await tab.quiet();
      expect(await tab.page.getByRole("option", { name: /plan\.md/ }).count()).toBe(0);
      expect(tab.faults).toEqual([]);
      await tab.close();
    },
  );
});
