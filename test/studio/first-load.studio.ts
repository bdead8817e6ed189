import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launch, openTab } from "./browser.ts";
import { type BuiltServer, startServer } from "./server.ts";

/** Maximum size in bytes of compressed JavaScript that the first page may load. */
const MAX_FIRST_LOAD = 250_000;

let server: BuiltServer;
let browser: Browser;

beforeAll(async () => {
  server = await startServer();
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

it.each(["/", "/explorer", "/search?q=tea"])(
  "the first load of %s needs at most 250 kB of compressed JavaScript, and the rest is loaded later",
  async (path) => {
    const { page, faults, go, quiet, close } = await openTab(browser, server.url);
    await go(path);
    await quiet();
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter((entry): entry is PerformanceResourceTiming => /\.js$/.test(new URL(entry.name).pathname))
        .map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, encodedBodySize })),
    );
    const bytes = scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(MAX_FIRST_LOAD);
    expect(scripts.filter(({ name }) => /editor|render-worker|calls-panel/.test(name))).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  },
);
