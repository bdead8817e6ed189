import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { workspaceId } from "../../src/domain/ids.ts";
import { sweepJob } from "../../src/domain/job.ts";
import { DeadLetters } from "../../src/jobs/dead-letters.ts";
import { openStorage } from "../../src/storage/open.ts";
import { silentLog } from "../support/silent-log.ts";
import { launch, openTab, type Tab } from "./browser.ts";
import { type BuiltServer, startServer } from "./server.ts";

const DIMENSIONS = 8;

/** An embedding server like Ollama. */
class Embeddings {
  readonly #server: Server = createServer(async (request, response) => {
    // a page that is never answered
    if (request.method === "GET") return;
    let body = "";
    for await (const piece of request) body += String(piece);
    const { input } = JSON.parse(body) as { input: string | string[] };
    const data = [input].flat().map((_, index) => ({ index, embedding: Array(DIMENSIONS).fill(1) }));
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ data, model: "tiny", usage: { prompt_tokens: 3, total_tokens: 3 } }));
  });

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no port is free");
    return `http://127.0.0.1:${address.port}/v1`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const model = new Embeddings();
let modelUrl: string;
let server: BuiltServer;
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  modelUrl = await model.listen();
  server = await startServer({
    settings: {
      CTXDB_EMBEDDING_PROVIDER: "openai",
      CTXDB_EMBEDDING_MODEL: "tiny",
      CTXDB_EMBEDDING_BASE_URL: modelUrl,
      CTXDB_EMBEDDING_DIMENSIONS: String(DIMENSIONS),
      CTXDB_URL_ALLOW_PRIVATE: "true",
    },
  });
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await server.close();
  model.close();
});
beforeEach(async () => {
  tab = await openTab(browser, server.url, { expected: /status of (?:400|404)/ });
});
afterEach(async () => {
  await tab.close();
  expect(tab.faults).toEqual([]);
});

/** Makes a job of the workspace fail finally, as after the last attempt; the server is stopped meanwhile. */
async function giveUp(reason: string): Promise<void> {
  await server.kill();
  const storage = await openStorage({ dataDir: server.dataDir, log: silentLog, clock: Date.now });
  const [first = ""] = await storage.kv.keys({ gte: "w/", lt: "w0", limit: 1 });
  const workspace = workspaceId(Number.parseInt(first.split("/")[1] ?? "", 36));
  const job = { ...sweepJob(workspace, 0), dueAt: 0, sequence: 1, attempts: 5, leaseUntil: 0 };
  const record = new DeadLetters(storage.kv, Date.now).write(job, reason);
  await storage.kv.transact(() => ({ ops: [record], apply: () => undefined }));
  await storage.close();
  await server.start();
}

describe("the work of the server", () => {
  it("a dead letter is listed with its reason, and queued again on request", async () => {
    const { page, go } = tab;
    await server.rest("POST fs/mkdir", { uri: "ctx://resources/made" });
    await giveUp("the disk was full");
    await go("/tasks?view=dead");
    const letters = page.getByRole("table", { name: "Dead letters" });
    await letters.getByText("the disk was full").waitFor();
    await letters.getByText("after 5 attempts").waitFor();
    await page.getByRole("tab", { name: "Dead letters (1)" }).waitFor();
    await letters.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Queued sweep again").waitFor();
    await page.getByText("No job was given up").waitFor();
    await page.getByRole("tab", { name: "Queues" }).click();
    await page.getByRole("table", { name: "Queues" }).waitFor();
  });

  it("the tasks screen is updated live: a running task shows its stage and then its result", async () => {
    const { page, go } = tab;
    await go("/tasks");
    await page.getByText("No tasks yet").waitFor();
    const form = new FormData();
    form.set("file", new Blob(["# Live\n\nA text that is imported.\n"]), "live.md");
    const { temp_path } = await server.rest<{ temp_path: string }>("POST resources/temp_upload", form);
    await server.rest("POST resources", { temp_path, parent: "ctx://resources", source_name: "live.md" });
    await page.getByText("Add resource").waitFor();
    await page.getByRole("img", { name: "completed" }).or(page.getByLabel("completed")).first().waitFor();
    await page.getByRole("link", { name: "ctx://resources/live" }).click();
    await page.getByRole("heading", { name: "live", level: 1 }).waitFor();
  });

  it("the cancel button of a running task cancels the task", async () => {
    const { page, go } = tab;
    await server.rest("POST resources", { path: `${modelUrl}/slow.md`, to: "ctx://resources/slow" });
    await go("/tasks");
    await page.getByRole("button", { name: "Cancel add resource" }).click();
    await page.getByText("Cancelled add resource").waitFor();
    const row = page.getByRole("listitem").filter({ has: page.getByLabel("cancelled") });
    await row.getByText("cancelled").waitFor();
    expect(await row.getByRole("link").count()).toBe(0);
  });

  it("the home screen shows calls by operation and the models used", async () => {
    const { page, go } = tab;
    await go("/");
    const operations = page.getByRole("table", { name: "Operations" });
    await operations.waitFor({ timeout: 60_000 });
    await page.getByRole("img", { name: /^Tokens by model since .*tiny/ }).waitFor({ timeout: 60_000 });
    await operations.getByRole("button").first().click();
    const chosen = await operations.getByRole("button", { pressed: true }).textContent();
    expect(await page.getByRole("combobox", { name: /^Operation/ }).inputValue()).toBe(chosen);
  });
});

describe("skills", () => {
  it("the skills screen adds, shows and replaces a skill, and deletes it after its name is typed", async () => {
    const { page, go } = tab;
    await go("/skills");
    await page.getByText("No skills yet").waitFor();
    await page.getByRole("button", { name: "Add a skill" }).click();
    const document = page.getByLabel("Document");
    await document.fill("no front matter");
    await page.getByRole("button", { name: "Add skill" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await document.fill(
      "---\nname: brew\ndescription: Brews tea. Use when tea is asked for.\n---\n\n# Brew\n\nBoil.\n",
    );
    await page.getByRole("button", { name: "Add skill" }).click();
    await page.getByText("Stored the skill brew").waitFor();
    await page.getByRole("article").getByText("Boil.").waitFor();
    await page.getByRole("button", { name: "Edit brew" }).click();
    await document.fill(
      "---\nname: brew\ndescription: Brews tea. Use when tea is asked for.\n---\n\n# Brew\n\nSteep.\n",
    );
    await page.getByRole("button", { name: "Save skill" }).click();
    await page.getByRole("article").getByText("Steep.").waitFor();
    await page.getByRole("button", { name: "Delete brew" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill("brew");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No skills yet").waitFor();
  });
});
