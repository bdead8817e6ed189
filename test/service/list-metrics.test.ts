import { afterAll, beforeAll, expect, it } from "vitest";
import { ObserverService } from "../../gen/ctxdb/v1/observer_pb.ts";
import { permissionDenied } from "../../src/domain/errors.ts";
import { checkMetrics, listMetrics } from "../../src/service/observer/list-metrics.ts";
import type { MetricSample } from "../../src/service/observer/metric-sample.ts";
import { clientsOf } from "../conformance/wire/clients.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { House } from "../support/tenant.ts";

let server: Served;
let adminKey: string;

beforeAll(async () => {
  server = await serve();
  const made = await server.rest(ROOT_KEY, "POST admin/accounts", {
    account_id: "acme",
    admin_user_id: "ann",
  });
  adminKey = (made.result as { user_key: string }).user_key;
});
afterAll(() => server.close());

it("only ROOT reads the metrics of a server with a root key, and anybody those of a server without one", async () => {
  expect((await server.rest(ROOT_KEY, "GET observer/metrics")).result).toEqual({
    samples: [],
    has_more: false,
  });
  expect((await server.rest(adminKey, "GET observer/metrics")).error?.code).toBe("PERMISSION_DENIED");
  expect((await server.rest("wrong", "GET observer/metrics")).error?.code).toBe("UNAUTHENTICATED");
  const open = await serve({ CTXDB_ROOT_API_KEY: undefined });
  expect((await open.rest("", "GET observer/metrics")).http).toBe(200);
  await open.close();
  const { caller } = (await House.open()).as("ann");
  expect(() => checkMetrics({ ...caller, role: "admin" })).toThrow(
    permissionDenied("metrics of the server", "only ROOT may read them").message,
  );
});

it("every protocol returns metrics to ROOT and refuses an administrator", async () => {
  const outcomes: Record<string, string[]> = {};
  for (const client of clientsOf(server.port)) {
    const ask = async (key: string) =>
      (await client.call(ObserverService.method.listMetrics, { resolution: "10s" }, { "x-api-key": key }))
        .code;
    outcomes[client.name] = [await ask(ROOT_KEY), await ask(adminKey)];
  }
  for (const [wire, codes] of Object.entries(outcomes))
    expect([wire, ...codes]).toEqual([wire, "OK", "PERMISSION_DENIED"]);
});

it.each([
  ["resolution=1h", "resolution"],
  ["after=yesterday", "after"],
  ["after=2026-13-45T99:00:00Z", "after"],
  ["limit=0", "limit"],
  ["limit=361", "limit"],
])("listing metrics with %s is refused with the name of the field", async (query, field) => {
  const { error } = await server.rest(ROOT_KEY, `GET observer/metrics?${query}`);
  expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(JSON.stringify(error)).toContain(field);
});

it("metrics are paged by the time of the last sample read", async () => {
  const house = await House.open();
  const { call } = house.as("ann");
  const samples: MetricSample[] = Array.from({ length: 5 }, (_, index) => ({
    at: 1_000 * (index + 1),
    seconds: 1,
    operations: [],
    queues: [],
    memoryBytes: 1,
    loopDelayMs: 0,
    models: [],
  }));
  const deps = { history: { samples: () => samples } };
  const root = { ...call, caller: { ...call.caller, role: "root" as const } };
  const seen: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = listMetrics(deps, root, { limit: 2, ...(after !== undefined && { after }) });
    seen.push(...page.samples.map(({ at }) => at));
    after = page.samples.at(-1)?.at;
    if (!page.hasMore) break;
  }
  expect(seen).toEqual(samples.map(({ at }) => new Date(at).toISOString()));
  await house.close();
});
