import { afterAll, expect, it } from "vitest";
import { Harness } from "../crash/harness.ts";

const CYCLES = 2;
const LIMIT_MS = 120_000;

let harness: Harness | undefined;
afterAll(() => harness?.close(false));

/** Runs the short form of `npm run test:crash`. */
it("no acknowledged write is lost and no partial change is visible, wherever the server is killed", {
  timeout: LIMIT_MS,
}, async () => {
  harness = await Harness.open({ seed: 1, failPoints: true, fromSource: true, say: () => undefined });
  for (let cycle = 0; cycle < CYCLES; cycle++) await harness.cycle(false);
  await harness.verify();
  expect(harness.violations).toEqual([]);
  expect(harness.acknowledged).toBeGreaterThan(0);
});
