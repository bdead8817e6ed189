import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebhookReceiver } from "../support/webhook-receiver.ts";
import { launch, openTab, REFUSED, signIn, type Tab } from "./browser.ts";
import { type BuiltServer, ROOT_KEY, startServer } from "./server.ts";

let server: BuiltServer;
let browser: Browser;
let receiver: WebhookReceiver;
let tab: Tab;
let page: Page;

beforeAll(async () => {
  server = await startServer({
    keyed: true,
    settings: { CTXDB_WEBHOOK_ALLOW_PRIVATE: "true", CTXDB_WEBHOOK_ATTEMPTS: "1" },
  });
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  receiver = await WebhookReceiver.open();
  tab = await openTab(browser, server.url, { expected: REFUSED });
  page = tab.page;
  await tab.go("/webhooks");
  await signIn(page, ROOT_KEY);
  await page.getByText("No webhooks yet").waitFor();
});
afterEach(async () => {
  await tab.close();
  for (const { webhook_id } of await server.rest<{ webhook_id: string }[]>("GET webhooks"))
    await server.rest(`DELETE webhooks/${webhook_id}`);
  await receiver.close();
  expect(tab.faults).toEqual([]);
});

const write = (name: string) =>
  server.rest("POST content/write", { uri: `ctx://resources/${name}`, content: "# A\n", mode: "create" });
const dialog = () => page.getByRole("dialog");
const deliveries = () => page.getByRole("table", { name: /^Deliveries to/ }).getByRole("row");

async function makeWebhook(): Promise<string> {
  await page.getByRole("button", { name: "New webhook" }).click();
  await dialog().getByLabel("Address").fill(receiver.url);
  await dialog().getByLabel("Folder or file to watch").fill("ctx://resources/watched");
  await dialog().getByLabel("Added").check();
  await dialog().getByLabel("Removed").check();
  await dialog().getByLabel("Description").fill("Builds the pages");
  await dialog().getByRole("button", { name: "Create webhook" }).click();
  const secret = dialog().locator("code");
  await expect.poll(() => secret.textContent()).toMatch(/^whsec_/);
  const shown = (await secret.textContent()) ?? "";
  await dialog().getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("heading", { name: receiver.url }).waitFor();
  return shown;
}

describe("webhooks", () => {
  it("a webhook is made with a secret shown once, tested, paused, edited, and deleted by typing its host", async () => {
    await makeWebhook();
    await page.getByText(/^added, removed of ctx:\/\/resources\/watched, since/).waitFor();
    await page.getByText("Builds the pages").waitFor();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText("Delivered: the receiver answered 204").waitFor();
    expect(receiver.received.map(({ body }) => body.type)).toEqual(["test"]);
    await write("watched/a.md");
    await deliveries().getByText("changes", { exact: true }).waitFor();
    expect(receiver.lines()).toContain("added ctx://resources/watched/a.md");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("paused", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("active", { exact: true }).waitFor();
    await page.getByRole("button", { name: `Edit ${receiver.url}` }).click();
    await dialog().getByLabel("Description").fill("Builds nothing");
    await dialog().getByRole("button", { name: "Save" }).click();
    await page.getByText("Builds nothing").waitFor();
    await page.getByRole("button", { name: `New secret for ${receiver.url}` }).click();
    await dialog().getByRole("button", { name: "Replace secret" }).click();
    await dialog().getByRole("heading", { name: "New secret of the webhook" }).waitFor();
    await dialog().getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: `Delete ${receiver.url}` }).click();
    expect(await dialog().getByRole("button", { name: "Delete webhook" }).isDisabled()).toBe(true);
    await dialog().getByRole("textbox").fill(new URL(receiver.url).host);
    await dialog().getByRole("button", { name: "Delete webhook" }).click();
    await page.getByText("No webhooks yet").waitFor();
  });

  it("a failed delivery is shown with its reason and can be sent again from the dead letters", async () => {
    receiver.answer = () => 500;
    await makeWebhook();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText(/^Not delivered: /).waitFor();
    await write("watched/b.md");
    await deliveries()
      .getByText(/^given up · 500/)
      .waitFor();
    receiver.answer = () => 204;
    const before = receiver.received.length;
    await page.getByRole("link", { name: "Send it again" }).click();
    await page.getByRole("button", { name: "Try again" }).first().click();
    await receiver.until(() => receiver.received.length > before);
    expect(receiver.lines(receiver.received.slice(before))).toContain("added ctx://resources/watched/b.md");
  });

  it("the dialogue shows why the server refuses a webhook, and a paused webhook shows its reason", async () => {
    await page.getByRole("button", { name: "New webhook" }).click();
    await dialog().getByLabel("Address").fill("ftp://example.com/");
    await dialog().getByRole("button", { name: "Create webhook" }).click();
    await dialog().getByRole("alert").getByText("INVALID_ARGUMENT").waitFor();
    await page.keyboard.press("Escape");
    receiver.answer = () => 410;
    await makeWebhook();
    await write("watched/c.md");
    await page.getByText("Paused: the receiver answered 410 Gone").waitFor();
  });

  it("no secret of a webhook stays in the tab", async () => {
    const secret = await makeWebhook();
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.body.innerHTML, location.href]),
    );
    expect(kept).not.toContain(secret);
  });
});
