import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { launch, openTab, REFUSED, signIn, type Tab } from "./browser.ts";
import { type BuiltServer, ROOT_KEY, startServer } from "./server.ts";

const PLANS = "ctx://resources/plans";
const PIER = `${PLANS}/pier.md`;

let server: BuiltServer;
let browser: Browser;
let keys: { readonly ada: string; readonly bob: string };
let tab: Tab | undefined;

const asAda = () => ({ "X-API-Key": keys.ada });
const grant = (uri: string, to: object) => server.rest("POST access/grants", { uri, ...to }, asAda());
const node = (uri: string, view = "access") => `/explorer?uri=${encodeURIComponent(uri)}&view=${view}`;

beforeAll(async () => {
  server = await startServer({ keyed: true });
  browser = await launch();
  const { user_key: ada } = await server.rest<{ user_key: string }>("POST admin/accounts", {
    account_id: "harbour",
    admin_user_id: "ada",
  });
  const { user_key: bob } = await server.rest<{ user_key: string }>(
    "POST admin/accounts/harbour/users",
    { user_id: "bob" },
    { "X-API-Key": ada },
  );
  keys = { ada, bob };
  await server.rest(
    "POST content/write",
    { uri: PIER, content: "# Pier\n\nOf stone.\n", mode: "create", wait: true },
    asAda(),
  );
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
afterEach(async () => {
  await tab?.close();
  expect(tab?.faults).toEqual([]);
});

/** A tab signed in with a key, at the given address. */
async function openAs(key: string, path: string): Promise<Page> {
  tab = await openTab(browser, server.url, { expected: REFUSED });
  await tab.go(path);
  await signIn(tab.page, key);
  return tab.page;
}

/** Returns the displayed rows of grants. */
const grants = (page: Page) => page.getByRole("table", { name: "Grants" }).getByRole("row");

describe("sharing", () => {
  it("an administrator makes a group, adds a user, and removes both after the name was typed", async () => {
    const page = await openAs(keys.ada, "/administration");
    const groups = page.getByRole("table", { name: "Groups of harbour" });
    await page.getByText("No groups yet").waitFor();
    await page.getByRole("button", { name: "New group" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("not a name");
    await dialog.getByRole("button", { name: "Create group" }).click();
    await dialog.getByRole("alert").getByText("INVALID_ARGUMENT").waitFor();
    await dialog.getByLabel("Name").fill("pilots");
    await dialog.getByRole("button", { name: "Create group" }).click();
    await groups.getByRole("cell", { name: "pilots", exact: true }).waitFor();
    await page.getByRole("button", { name: "Members of pilots" }).click();
    await dialog.getByLabel("User to add").fill("nobody");
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.getByRole("alert").getByText("NOT_FOUND").waitFor();
    await dialog.getByLabel("User to add").fill("bob");
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.getByRole("cell", { name: "bob", exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Remove bob from pilots" }).click();
    await dialog.getByText("No members yet.").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Delete pilots" }).click();
    expect(await dialog.getByRole("button", { name: "Delete group" }).isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill("pilots");
    await dialog.getByRole("button", { name: "Delete group" }).click();
    await page.getByText("No groups yet").waitFor();
    await page.getByRole("table", { name: "Audit log" }).getByText("harbour/pilots/bob").first().waitFor();
  });

  it("an administrator shares a folder, and changes and revokes the grant, which a file inherits", async () => {
    const page = await openAs(keys.ada, node(PLANS));
    await page.getByText("No grants").waitFor();
    await page.getByRole("tabpanel").getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("button", { name: "Share" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Name").fill("bob");
    await dialog.getByLabel("Access").selectOption("Cannot change or share");
    await dialog.getByRole("button", { name: "Share" }).click();
    await page.getByText("user bob: Cannot change or share").waitFor();
    await grants(page).getByText("Cannot change or share").waitFor();
    await page.getByRole("treeitem", { name: "plans" }).click();
    await page.getByRole("button", { name: /pier\.md/ }).click();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Share" }).click();
    await dialog.getByLabel("Who").selectOption("Everyone of the workspace");
    expect(await dialog.getByLabel("Name").count()).toBe(0);
    await dialog.getByRole("button", { name: "Share" }).click();
    await grants(page).getByText("Inherited").waitFor();
    expect(await page.getByRole("button", { name: "Revoke the grant to user bob" }).count()).toBe(0);
    await grants(page).getByRole("button", { name: PLANS }).click();
    await page.getByRole("heading", { name: "plans", level: 1 }).waitFor();
    await page.getByRole("tab", { name: "Access" }).click();
    await page.getByRole("button", { name: "Change the access of user bob" }).click();
    await dialog.getByLabel("Access").selectOption("Can read");
    await dialog.getByRole("button", { name: "Save" }).click();
    await grants(page).getByText("Can read", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Revoke the grant to user bob" }).click();
    await dialog.getByText(/“Can read” ends at once/).waitFor();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("No grants").waitFor();
    const { grants: left } = await server.rest<{ grants: object[] }>(
      `GET access/grants?uri=${PIER}`,
      undefined,
      asAda(),
    );
    expect(left).toMatchObject([{ grantee_type: "everyone", level: "read", effect: "allow" }]);
    await server.rest("POST access/revoke", { uri: PIER, grantee_type: "everyone" }, asAda());
  });

  it("Studio explains why a user may read a file, rule by rule", async () => {
    await server.rest("POST admin/accounts/harbour/groups", { group_id: "crew" }, asAda());
    await server.rest("PUT admin/accounts/harbour/groups/crew/members/bob", undefined, asAda());
    await grant(PLANS, { grantee_type: "everyone", level: "read", effect: "deny" });
    await grant(PIER, { grantee_type: "group", grantee_id: "crew", level: "read" });
    const page = await openAs(keys.ada, node(PIER));
    await page.getByText("You are ada (admin), acting as the agent default.").waitFor();
    await page.getByText("Administrators of the workspace have all access to what is shared.").waitFor();
    const form = page.getByRole("tabpanel").locator("form");
    await form.getByLabel("User").fill("bob");
    await form.getByRole("button", { name: "Explain" }).click();
    await page.getByText("bob, acting as the agent default:").waitFor();
    const rules = page.getByRole("list", { name: "Rules" }).last().getByRole("listitem");
    await expect
      .poll(() => rules.allTextContents())
      .toEqual([
        "This applies to every user without a grant. ctx://resourcesthen: write",
        `Grant to everyone: No access. ${PLANS}then: none`,
        `Grant to group crew: Can read. ${PIER}then: read`,
      ]);
    await form.getByLabel("User").fill("newcomer");
    await form.getByRole("button", { name: "Explain" }).click();
    await page.getByText("newcomer, acting as the agent default:").waitFor();
    await page.getByText("no access", { exact: true }).waitFor();
    await server.rest("DELETE admin/accounts/harbour/groups/crew", undefined, asAda());
    await server.rest("POST access/revoke", { uri: PLANS, grantee_type: "everyone" }, asAda());
  });

  it("a user with read access to a folder sees neither its grants nor actions that change it", async () => {
    await grant(PLANS, { grantee_type: "user", grantee_id: "bob", level: "write", effect: "deny" });
    const page = await openAs(keys.bob, node(PLANS));
    await page.getByText("You are bob (user), acting as the agent default.").waitFor();
    await page.getByText("can read", { exact: true }).waitFor();
    await page.getByText("Cannot change or share").waitFor();
    expect(await page.getByRole("heading", { name: "Grants" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Upload" }).count()).toBe(0);
    await page.getByRole("button", { name: "More actions" }).click();
    expect(await page.getByRole("menuitem").allTextContents()).toEqual(["Export as pack", "Copy"]);
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Contents" }).click();
    await page.getByRole("button", { name: /pier\.md/ }).click();
    await page.getByText("Of stone.").first().waitFor();
    expect(await page.getByRole("button", { name: "Edit" }).count()).toBe(0);
    await page.getByRole("treeitem", { name: "resources" }).click();
    await page.getByRole("button", { name: "Upload" }).waitFor();
    await server.rest("POST access/revoke", { uri: PLANS, grantee_type: "user", grantee_id: "bob" }, asAda());
  });

  it("a user shares a file of the own space with another user, who then finds it in the tree", async () => {
    await server.rest(
      "POST content/write",
      { uri: "ctx://user/bob/notes/tides.md", content: "# Tides\n\nHigh at nine.\n", mode: "create" },
      { "X-API-Key": keys.bob },
    );
    const page = await openAs(keys.bob, node("ctx://user/bob/notes"));
    await page.getByText("It is the user's own space.").waitFor();
    await page.getByRole("tabpanel").getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("ada");
    await dialog.getByRole("button", { name: "Share" }).click();
    await grants(page).getByText("ada").waitFor();
    await tab?.close();
    const other = await openAs(keys.ada, node("ctx://user/bob/notes/tides.md", "content"));
    await other.getByText("High at nine.").first().waitFor();
    expect(await other.getByRole("button", { name: "Edit" }).count()).toBe(0);
  });

  it("ROOT without an own workspace can share with everyone, and gets an error for an unknown user", async () => {
    await server.rest("POST fs/mkdir", { uri: "ctx://resources/open" });
    const page = await openAs(ROOT_KEY, node("ctx://resources/open"));
    await page.getByRole("tabpanel").getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("ghost");
    await dialog.getByRole("button", { name: "Share" }).click();
    await dialog.getByRole("alert").getByText("user not found: ghost").waitFor();
    await dialog.getByLabel("Who").selectOption("Everyone of the workspace");
    await dialog.getByRole("button", { name: "Share" }).click();
    await grants(page).getByText("Everyone").waitFor();
  });
});
