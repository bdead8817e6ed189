import { expect, it, onTestFinished, vi } from "vitest";
import { EventLoopYielder } from "../../src/base/event-loop.ts";
import { House } from "../support/tenant.ts";

const ACCOUNTS = 20;

it("the stored bytes of all accounts are counted with a pause between them", async () => {
  const house = await House.open();
  onTestFinished(() => house.end());
  await house.as("ann").create("ctx://resources/a.md", "The owl waits.");
  // the layers count, too, and are made by jobs
  await house.drain();
  const one = await house.tenants.countStored();
  for (let i = 1; i < ACCOUNTS; i++)
    await house.as("ann", `t${i}`).create("ctx://resources/a.md", "The owl waits.");
  await house.drain();
  const paused = vi.spyOn(EventLoopYielder.prototype, "yieldIfDue");
  onTestFinished(() => paused.mockRestore());
  expect(await house.tenants.countStored()).toBe(one * ACCOUNTS);
  expect(paused.mock.calls.length).toBeGreaterThanOrEqual(ACCOUNTS);
});
