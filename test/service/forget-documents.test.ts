import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EventLoopYielder } from "../../src/base/event-loop.ts";
import { forget } from "../../src/service/memory/forget.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const MEMORIES = "ctx://user/ann/memories";

describe("forgetting in long texts", () => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open();
    ann = house.as("ann");
  });
  afterEach(() => house.end());

  it("forgetting does not search a large document among the episodes, but can remove it by its URI", async () => {
    const uri = `${MEMORIES}/events/long.md`;
    await ann.create("ctx://resources/long.md", `The harbour is old.\n${" ".repeat(600_000)}`);
    await ann.mv("ctx://resources/long.md", uri);
    expect(await codeOf(forget(house.deps, ann.call, { query: "harbour", dryRun: true }))).toBe(
      "FAILED_PRECONDITION",
    );
    expect((await forget(house.deps, ann.call, { uri, dryRun: true })).episodes).toBe(1);
  });

  it("the sentences of an edited file are compared in steps when its facts are forgotten", async () => {
    const FACTS = 20;
    const SENTENCES = 300;
    const facts = Array.from({ length: FACTS }, (_, i) => `- Constantinople number${i} lantern${i}`).join(
      "\n",
    );
    const said = "Constantinople is what I said here.\n".repeat(SENTENCES);
    const uri = `${MEMORIES}/entities/a.md`;
    await ann.create(uri, `# Constantinople\n\n${facts}\n\n${said}`);
    await house.drain();
    const through = EventLoopYielder.prototype.through;
    let most = 0;
    vi.spyOn(EventLoopYielder.prototype, "through").mockImplementation(function <T>(
      this: EventLoopYielder,
      steps: Generator<undefined, T>,
    ) {
      let count = 0;
      const counted = function* (): Generator<undefined, T> {
        for (;;) {
          const { done, value } = steps.next();
          if (done) return value;
          most = Math.max(most, ++count);
          yield;
        }
      };
      return through.call(this, counted()) as Promise<T>;
    });
    const receipt = await forget(house.deps, ann.call, { subject: "Constantinople", dryRun: false });
    await house.drain();
    vi.restoreAllMocks();
    expect(receipt.facts).toBe(FACTS);
    expect(await ann.read(uri).catch(() => "")).not.toContain("lantern");
    expect(most).toBeGreaterThanOrEqual(SENTENCES);
  });
});
