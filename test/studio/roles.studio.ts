import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openTab } from "./browser.ts";
import { type BuiltServer, ROOT_KEY, startServer } from "./server.ts";

let server: BuiltServer;
let browser: Browser;

beforeAll(async () => {
  server = await startServer({ keyed: true });
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Calls without a key, or with one that is gone, are refused: browsers write that to the console. */
const REFUSED = /status of 401|status of 403|status of 404/;

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
}

describe("who is signed in", () => {
  it("ROOT makes a workspace and a user, whose keys are shown once", async () => {
    const { page, faults, go, close } = await openTab(browser, server.url, { expected: REFUSED });
    await go("/administration");
    await signIn(page, "a wrong key");
    await page.getByText("The server does not know this key").waitFor();
    await signIn(page, ROOT_KEY);
    await page.getByRole("button", { name: "New workspace" }).waitFor();
    await go("/");
    await page.getByRole("heading", { name: "Server over time" }).waitFor();
    await go("/administration");
    await page.getByRole("button", { name: "New workspace" }).click();
    await page.getByLabel("Name").fill("harbour");
    await page.getByLabel("First administrator").fill("ada");
    await page.getByRole("button", { name: "Create workspace" }).click();
    const key = page.getByRole("dialog").locator("code");
    await expect.poll(async () => (await key.textContent())?.length ?? 0).toBeGreaterThan(20);
    const adminKey = (await key.textContent()) ?? "";
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("heading", { name: "Users of harbour" }).waitFor();
    await page.getByRole("button", { name: "New user" }).click();
    await page.getByLabel("Name").fill("bob");
    await page.getByRole("button", { name: "Create user" }).click();
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByLabel("Role of bob").selectOption("admin");
    await page.getByRole("button", { name: "Remove bob" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("button", { name: "Remove user" }).isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill("bob");
    await dialog.getByRole("button", { name: "Remove user" }).click();
    await page.getByText("Removed bob from").or(page.getByText("Removed bob")).first().waitFor();
    const audit = page.getByRole("table", { name: "Audit log" });
    await audit.getByText("CreateAccount").waitFor();
    await audit.getByText("harbour/bob").first().waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, document.cookie, location.href]),
    );
    expect(kept).not.toContain(ROOT_KEY);
    expect(kept).not.toContain(adminKey);
    expect(faults).toEqual([]);
    await close();
  });

  it("a user sees nothing of another workspace, and nothing that the role may not do", async () => {
    await server.rest("POST content/write", {
      uri: "ctx://resources/secret.md",
      content: "# Secret\n\nThe harbour's secret.\n",
      mode: "create",
    });
    const { user_key } = await server.rest<{ user_key: string }>("POST admin/accounts", {
      account_id: "second",
      admin_user_id: "cleo",
    });
    const added = await server.rest<{ user_key: string }>(
      "POST admin/accounts/second/users",
      { user_id: "dan" },
      { "X-API-Key": user_key },
    );
    const { page, faults, go, close } = await openTab(browser, server.url, { expected: REFUSED });
    await go("/");
    await signIn(page, added.user_key);
    await page.getByRole("heading", { name: "Welcome to ctxdb" }).waitFor();
    expect(await page.getByRole("link", { name: "Administration" }).count()).toBe(0);
    expect(await page.getByRole("heading", { name: "Server over time" }).count()).toBe(0);
    await go(`/explorer?uri=${encodeURIComponent("ctx://resources/secret.md")}`);
    await page
      .getByRole("alert")
      .getByText(/not found/)
      .waitFor();
    await go("/search?q=harbour+secret");
    await page.getByText("Nothing was found").waitFor();
    await go("/administration");
    await page.getByText("Your role does not administer this workspace").waitFor();
    await go("/tasks?view=dead");
    await page.getByRole("tab", { name: "Your tasks", selected: true }).waitFor();
    expect(await page.getByRole("tab", { name: /Dead letters/ }).count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  it("is asked to sign in again when the key was replaced, without a reload, and sees nothing of before", async () => {
    const { user_key } = await server.rest<{ user_key: string }>("POST admin/accounts", {
      account_id: "third",
      admin_user_id: "eve",
    });
    const { page, faults, go, close } = await openTab(browser, server.url, { expected: REFUSED });
    await go("/tasks");
    await signIn(page, user_key);
    await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
    await server.rest("POST admin/accounts/third/users/eve/key", {});
    await page.getByText("Your key is no longer accepted").waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(user_key);
    expect(faults).toEqual([]);
    await close();
  });
});
