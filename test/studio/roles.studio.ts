import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openTab, REFUSED, signIn } from "./browser.ts";
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

describe("roles in Studio", () => {
  it("ROOT creates a workspace and a user, whose keys are shown once", async () => {
    const { page, faults, go, close } = await openTab(browser, server.url, { expected: REFUSED });
    await go("/administration");
    await signIn(page, "a wrong key");
    await page.getByText("The server does not accept this key").waitFor();
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

  it("ROOT sets quotas and makes a key, and the user sees both and revokes the key", async () => {
    const { user_key } = await server.rest<{ user_key: string }>("POST admin/accounts", {
      account_id: "eighth",
      admin_user_id: "ivy",
    });
    const root = await openTab(browser, server.url, { expected: REFUSED });
    await root.go("/administration?account=eighth");
    await signIn(root.page, ROOT_KEY);
    await root.page.getByRole("button", { name: "Edit quotas" }).click();
    await root.page.getByLabel("Storage, such as 10 GB").fill("1.5 XB");
    await root.page.getByText(/^A whole number; storage may have/).waitFor();
    await root.page.getByLabel("Storage, such as 10 GB").fill("1.5 GB");
    await root.page.getByLabel("Files, folders and sections").fill("500");
    await root.page.getByLabel("Days to keep the trash").fill("40000");
    await root.page.getByText("A whole number of days, at most 36500.").waitFor();
    await root.page.getByLabel("Days to keep the trash").fill("7");
    await root.page.getByRole("button", { name: "Set quotas" }).click();
    await root.page.getByRole("row", { name: /Trash.*7 days.*this workspace/ }).waitFor();
    await root.page.getByText("0 B of 1.5 GB").waitFor();
    expect(
      await root.page
        .getByRole("meter", { name: "Files, folders and sections" })
        .getAttribute("aria-valuetext"),
    ).toBe("0 of 500");
    await root.page.getByRole("button", { name: "Keys of ivy" }).click();
    await root.page.getByRole("button", { name: "New key", exact: true }).click();
    await root.page.getByLabel("Name of the key").fill("phone");
    await root.page.getByLabel("Expires").selectOption("in 30 days");
    await root.page.getByLabel("Reading only").check();
    await root.page.getByRole("button", { name: "Create key" }).click();
    const key = root.page.getByRole("dialog").locator("code");
    await expect.poll(async () => (await key.textContent()) ?? "").toMatch(/^ctx_/);
    await root.page.getByRole("button", { name: "I have copied it" }).click();
    await root.page.getByRole("row", { name: /phone.*reading only/ }).waitFor();
    expect(root.faults).toEqual([]);
    await root.close();

    const { page, faults, go, close } = await openTab(browser, server.url, { expected: REFUSED });
    await go("/account");
    await signIn(page, user_key);
    await page.getByText("0 B of 1.5 GB").waitFor();
    expect(await page.getByRole("button", { name: "Edit quotas" }).count()).toBe(0);
    await page.getByRole("button", { name: "Revoke the key phone" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("button", { name: "Revoke key" }).isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill("phone");
    await dialog.getByRole("button", { name: "Revoke key" }).click();
    await expect.poll(() => page.getByRole("row", { name: /phone/ }).count()).toBe(0);
    await page.getByRole("row", { name: /main/ }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("a user sees nothing of another workspace, and no action that the role does not allow", async () => {
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
    await page.getByText("Your role cannot administer this workspace").waitFor();
    await go("/tasks?view=dead");
    await page.getByRole("tab", { name: "Your tasks", selected: true }).waitFor();
    expect(await page.getByRole("tab", { name: /Dead letters/ }).count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  it("a user whose key was replaced must sign in again, and no longer sees the previous screen", async () => {
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

  it("a user sees no data, questions, uploads or code of the user signed in before in the same tab", async () => {
    await server.rest("POST content/write", {
      uri: "ctx://resources/of-root.md",
      content: "# Of root\n\nOnly the workspace default has this.\n",
      mode: "create",
    });
    const { user_key } = await server.rest<{ user_key: string }>("POST admin/accounts", {
      account_id: "fourth",
      admin_user_id: "fay",
    });
    const { page, faults, go, close } = await openTab(browser, server.url, { expected: REFUSED });
    await go("/explorer");
    await signIn(page, ROOT_KEY);
    await page.getByRole("treeitem", { name: "of-root.md" }).waitFor();
    const upload = { name: "of-root-too.txt", mimeType: "text/plain", buffer: Buffer.from("words") };
    await page.getByLabel("Files to upload").setInputFiles(upload);
    await page.getByRole("region", { name: "Uploads" }).getByText("Done").waitFor();
    await page.getByRole("link", { name: "Search lab" }).click();
    await page.getByLabel("Question").fill("only the workspace default");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByRole("button", { name: "Save as an expected answer" }).first().click();
    await page.getByText("Saved to the evaluation set").waitFor();
    await page.getByRole("button", { name: /root · agent default/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await signIn(page, user_key);
    await page.getByRole("button", { name: /admin · agent default/ }).waitFor();
    expect(await page.getByRole("region", { name: "Uploads" }).count()).toBe(0);
    await page.getByRole("link", { name: "Evaluation" }).click();
    await page.getByText("No questions yet").waitFor();
    await page.getByRole("link", { name: "Explorer" }).click();
    await page.getByText("This folder is empty").waitFor();
    expect(await page.getByText("of-root").count()).toBe(0);
    await page.getByRole("button", { name: "Calls as code" }).click();
    const calls = page.getByRole("dialog", { name: "API calls" });
    await calls
      .getByRole("button", { name: /fs\.stat/ })
      .first()
      .waitFor();
    expect(await calls.getByText("workspace default").count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  it("ROOT can act as another user at once, and returns from a workspace that does not exist", async () => {
    const { user_key } = await server.rest<{ user_key: string }>("POST admin/accounts", {
      account_id: "fifth",
      admin_user_id: "gus",
    });
    await server.rest(
      "POST content/write",
      { uri: "ctx://resources/of-gus.md", content: "# Of Gus\n", mode: "create" },
      { "X-API-Key": user_key },
    );
    const { page, faults, go, close } = await openTab(browser, server.url, { expected: REFUSED });
    await go("/explorer");
    await signIn(page, ROOT_KEY);
    const actAs = async (account: string, user: string) => {
      await page.getByRole("button", { name: /root · agent/ }).click();
      await page.getByRole("menuitem", { name: "Switch workspace, user or agent" }).click();
      await page.getByLabel("Workspace").fill(account);
      await page.getByLabel("User").fill(user);
      await page.getByRole("button", { name: "Switch", exact: true }).click();
    };
    await page.getByRole("treeitem", { name: "resources" }).waitFor();
    await actAs("fifth", "gus");
    await page.getByRole("treeitem", { name: "of-gus.md" }).waitFor();
    await page.getByText("gus in fifth").waitFor();
    await actAs("nowhere", "nobody");
    await page.getByRole("button", { name: "Act as yourself again" }).click();
    await page.getByText("in default").waitFor();
    expect(await page.getByText("of-gus.md").count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  it("an administrator replaces a key, and ROOT deletes a workspace, each after its name is typed", async () => {
    const { user_key } = await server.rest<{ user_key: string }>("POST admin/accounts", {
      account_id: "sixth",
      admin_user_id: "hal",
    });
    await server.rest("POST admin/accounts/sixth/users", { user_id: "ian" }, { "X-API-Key": user_key });
    const { page, faults, go, close } = await openTab(browser, server.url, { expected: REFUSED });
    await go("/administration");
    await signIn(page, user_key);
    await page.getByRole("heading", { name: "Users of sixth" }).waitFor();
    expect(await page.getByRole("button", { name: "New workspace" }).count()).toBe(0);
    expect(await page.getByLabel("Role of ian").count()).toBe(0);
    await page.getByRole("button", { name: "New key for ian" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The key in use stops working at once").waitFor();
    await dialog.getByRole("textbox").fill("ian");
    await dialog.getByRole("button", { name: "Replace key" }).click();
    await dialog.getByText("It is shown once").waitFor();
    await dialog.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: /admin · agent/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await signIn(page, ROOT_KEY);
    await page.getByRole("button", { name: "Delete sixth" }).click();
    await dialog.getByText("2 users and their keys").waitFor();
    await dialog.getByRole("textbox").fill("sixth");
    await dialog.getByRole("button", { name: "Delete workspace" }).click();
    await page.getByRole("table", { name: "Workspaces" }).getByText("sixth").waitFor({ state: "detached" });
    expect(faults).toEqual([]);
    await close();
  });
});

describe("a server that limits requests", () => {
  let limited: BuiltServer;

  beforeAll(async () => {
    limited = await startServer({ keyed: true, settings: { CTXDB_RATE_LIMIT: "4" } });
  });
  afterAll(() => limited.close());

  it("Studio repeats calls that the rate limit refused, and asks the user to wait at the sign-in", async () => {
    const { page, faults, go, close } = await openTab(browser, limited.url, {
      expected: /status of 4(?:01|29)/,
    });
    await go("/");
    await signIn(page, ROOT_KEY);
    // more parallel calls than the limit allows: the refused ones are repeated a moment later
    await page.getByText("All parts work").waitFor({ timeout: 60_000 });
    await page.getByRole("link", { name: "Explorer" }).click();
    await page.getByText("This folder is empty").waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: /root · agent/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    await page.route(/SystemService\/GetStatus/, (route) =>
      route.fulfill({
        status: 429,
        contentType: "application/json",
        body: JSON.stringify({ code: "resource_exhausted", message: "too many" }),
      }),
    );
    await signIn(page, "some key");
    await page.getByText("Too many attempts. Wait a moment, then sign in again.").waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
