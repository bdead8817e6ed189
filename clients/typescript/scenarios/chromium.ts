// Runs clients/scenarios.json through the browser's client in a headless Chromium, from a page of another origin than the server's.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { environment } from "./environment.ts";

const CHROMIUM = "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const RUN_LIMIT_MS = 300_000;

/** The program as one script. A module of Node in it, which no browser has, fails the build. */
async function bundle(): Promise<string> {
  const entry = fileURLToPath(new URL("browser.ts", import.meta.url));
  const options = {
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
    globalName: "scenarios",
    target: "chrome120",
  } as const;
  const { outputFiles } = await build({ entryPoints: [entry], ...options });
  return outputFiles[0]!.text;
}

const script = await bundle();
const pages = createServer((request, response) => {
  const isScript = request.url === "/scenarios.js";
  response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html; charset=utf-8");
  response.end(
    isScript ? script : '<!doctype html><title>scenarios</title><script src="/scenarios.js"></script>',
  );
});
await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(RUN_LIMIT_MS);
  await page.exposeFunction("printLine", (line: string) => console.log(line));
  await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
  const given = JSON.stringify(await environment());
  const failed = await page.evaluate<number>(
    `scenarios.runInPage({ ...${given}, print: (line) => window.printLine(line) })`,
  );
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  await browser.close();
  pages.close();
}
