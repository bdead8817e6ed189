import { describe, expect, it } from "vitest";
import { accountId } from "../../src/domain/ids.ts";
import { QUEUES } from "../../src/domain/job.ts";
import { writeContent } from "../../src/service/content/write-content.ts";
import type { MetricSample } from "../../src/service/observer/metric-sample.ts";
import { MetricsHistory } from "../../src/service/observer/metrics-history.ts";
import { prefixRange } from "../../src/storage/kv.ts";
import { House } from "../support/tenant.ts";

const START = Date.parse("2026-03-01T10:58:00Z");
const TEN_SECONDS = 10_000;
const failing = (what: string, error: unknown): void => {
  throw new Error(what, { cause: error });
};

async function opened() {
  const house = await House.open();
  let now = START;
  const { kv } = house.stores;
  const deps = { ...house.deps, kv, clock: () => now, report: failing };
  const open = () => MetricsHistory.open(deps);
  const pass = async (history: MetricsHistory, samples: number) => {
    for (let done = 0; done < samples; done++) {
      now += TEN_SECONDS;
      await history.sample();
    }
  };
  return {
    house,
    deps,
    open,
    pass,
    leap: (ms: number) => {
      now += ms;
    },
  };
}

const requests = (samples: readonly MetricSample[]) =>
  samples.map(({ operations }) => operations.map((of) => [of.operation, of.requests, of.errors]));

describe("the metrics history", () => {
  it("the metrics history keeps the stored bytes of all workspaces across a restart", async () => {
    const { house, open, pass } = await opened();
    const history = await open();
    await pass(history, 1);
    expect(history.samples("10s").at(-1)?.storedBytes).toBe(0);
    for (const account of ["acme", "other"]) {
      const { call } = house.as("ann", account);
      const content = account.repeat(1_500);
      await writeContent(house.deps, call, {
        uri: "ctx://resources/a.md",
        content,
        mode: "create",
        wait: false,
      });
    }
    await pass(history, 1);
    expect(history.samples("10s").at(-1)?.storedBytes).toBe(0);
    await pass(history, 5);
    expect(history.samples("10s").at(-1)?.storedBytes).toBeGreaterThan(10_000);
    expect(house.tenants.nearQuota).toEqual([]);
    await house.registry.createAccount(accountId("acme"), "ada");
    await house.registry.quotas.set(accountId("acme"), { nodes: 1, chunks: 1000, storedBytes: 4000 });
    await pass(history, 5);
    expect(history.samples("1m").at(-1)?.storedBytes).toBeGreaterThan(10_000);
    await pass(history, 1);
    expect(house.tenants.nearQuota).toEqual([
      { account: "acme", resource: "nodes", share: expect.any(Number) },
      { account: "acme", resource: "stored_bytes", share: expect.any(Number) },
    ]);
    await history.close();
    const again = await open();
    expect(again.samples("1m").at(-1)?.storedBytes).toBeGreaterThan(10_000);
    await again.close();
    await house.close();
  });

  it("the metrics history counts calls per interval and merges six intervals into a minute", async () => {
    const { house, open, pass } = await opened();
    const history = await open();
    for (let call = 0; call < 99; call++) history.count("SearchService.Find", false, 0.01);
    history.count("SearchService.Find", true, 2);
    await pass(history, 1);
    history.count("SearchService.Find", false, 0.01);
    history.count("TaskService.GetTask", false, 0.5);
    history.count("TaskService.GetTask", true, 0.5);
    await pass(history, 5);
    expect(requests(history.samples("10s")).slice(0, 3)).toEqual([
      [["SearchService.Find", 100, 1]],
      [
        ["TaskService.GetTask", 2, 1],
        ["SearchService.Find", 1, 0],
      ],
      [],
    ]);
    const [minute, ...more] = history.samples("1m");
    expect(more).toEqual([]);
    expect(minute).toMatchObject({ at: START + 60_000, seconds: 60, models: [] });
    const [find, task] = minute?.operations ?? [];
    expect(find).toMatchObject({ operation: "SearchService.Find", requests: 101, errors: 1 });
    expect(find?.p50Ms).toBeCloseTo(10, 0);
    expect(task?.p99Ms).toBeGreaterThan(495);
    expect(task?.p99Ms).toBeLessThan(505);
    expect(minute?.queues.map(({ queue }) => queue)).toEqual([...QUEUES]);
    expect(minute?.memoryBytes).toBeGreaterThan(1_000_000);
    await history.close();
    await house.close();
  });

  it("the metrics history keeps an hour of fine samples and a day of minutes", async () => {
    const { house, deps, open, pass } = await opened();
    const history = await open();
    await pass(history, 26 * 360);
    expect(history.samples("10s").length).toBe(360);
    expect(history.samples("1m").length).toBe(1440);
    await history.close();
    expect((await deps.kv.keys(prefixRange("s/metrics/"))).length).toBe(25);
    await house.close();
  });

  it("the metrics history shows earlier minutes after a restart, but none older than a day", async () => {
    const { house, open, pass, leap } = await opened();
    const first = await open();
    first.count("SearchService.Find", false, 0.01);
    await pass(first, 12);
    await first.close();
    const again = await open();
    expect(requests(again.samples("1m"))).toEqual([[["SearchService.Find", 1, 0]], []]);
    expect(again.samples("10s")).toEqual([]);
    await pass(again, 6);
    const times = again.samples("1m").map(({ at }) => at);
    expect(times).toEqual([START + 60_000, START + 120_000, START + 180_000]);
    await again.close();
    leap(-120_000);
    const back = await open();
    expect(back.samples("1m").map(({ at }) => at)).toEqual([START + 60_000]);
    await back.close();
    leap(27 * 3_600_000);
    const late = await open();
    expect(late.samples("1m")).toEqual([]);
    await late.close();
    await house.close();
  });

  it("the metrics history stays in order when the clock is set back, with 32 operations per sample", async () => {
    const { house, open, pass, leap } = await opened();
    const history = await open();
    for (let name = 0; name < 40; name++) history.count(`Service.Operation${name}`, false, 1e9);
    await pass(history, 1);
    leap(-3_600_000);
    await pass(history, 5);
    const times = history.samples("10s").map(({ at }) => at);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(history.samples("10s")[0]?.operations.length).toBe(32);
    expect(history.samples("1m")[0]?.operations.length).toBe(32);
    await history.close();
    await house.close();
  });
});
