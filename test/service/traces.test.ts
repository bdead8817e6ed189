import { createRequire } from "node:module";
import { createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SearchService } from "../../gen/ctxdb/v1/search_pb.ts";
import { Collector, type Seen } from "../support/collector.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

const SECRET = "walrus";
const RESOURCE = {
  uri: `ctx://resources/pond/${SECRET}.md`,
  content: `# The ${SECRET}\n\nIt sleeps on the ice.\n`,
  mode: "create",
};
/** The caller's trace and span. */
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";
const traceparent = (trace: string) => `00-${trace}-${CALLER}-01`;

const loaded = () =>
  Object.keys(createRequire(import.meta.url).cache).filter((path) =>
    path.includes("@opentelemetry/sdk-trace"),
  );

describe("a server without a collector", () => {
  it("a server without a trace collector loads no OpenTelemetry code", async () => {
    const served = await serve();
    expect((await served.rest(ROOT_KEY, "POST content/write", RESOURCE)).http).toBe(200);
    await served.close();
    expect(loaded()).toEqual([]);
  });
});

describe("a server with a collector", () => {
  const collector = new Collector();
  let served: Served;
  let spans: readonly Seen[];
  const wires: Record<string, string> = {
    grpc: "1".repeat(32),
    "grpc-web": "2".repeat(32),
    connect: "3".repeat(32),
  };

  beforeAll(async () => {
    await collector.start();
    served = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_SERVICE_NAME: "" });
    const answer = await served.rest(ROOT_KEY, "POST content/write", RESOURCE, {
      traceparent: traceparent(TRACE),
      "X-Request-Id": "mine",
    });
    expect(answer.http).toBe(200);
    expect((await served.rest(ROOT_KEY, "POST system/wait", { timeout: 20 })).http).toBe(200);
    const baseUrl = `http://127.0.0.1:${served.port}`;
    const transports: Record<string, Transport> = {
      grpc: createGrpcTransport({ baseUrl }),
      "grpc-web": createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
      connect: createConnectTransport({ baseUrl, httpVersion: "1.1" }),
    };
    for (const [wire, transport] of Object.entries(transports)) {
      const headers = { "x-api-key": ROOT_KEY, traceparent: traceparent(wires[wire]!) };
      await createClient(SearchService, transport).find({ query: SECRET }, { headers });
    }
    await served.rest(ROOT_KEY, "GET content/read?uri=ctx://resources/nothing.md", undefined, {
      traceparent: "00-nonsense",
    });
    // unsent spans are sent when the server ends
    await served.close();
    spans = collector.spans;
  }, 60_000);
  afterAll(() => collector.stop());

  const called = (name: string, trace?: string) =>
    spans.filter((span) => span.name === name && (trace === undefined || span.trace === trace));
  const childrenOf = (parent: Seen) =>
    spans.filter((span) => span.parent === parent.id && span.trace === parent.trace);

  it("each call sends one span that continues the caller's trace and includes its commits", () => {
    const [call, ...more] = called("ContentService.WriteContent");
    expect(more).toEqual([]);
    expect(call).toMatchObject({
      trace: TRACE,
      parent: CALLER,
      kind: 2,
      failure: undefined,
      server: { "service.name": "ctxdb" },
    });
    expect(call!.facts).toEqual({
      "ctxdb.operation": "ContentService.WriteContent",
      "ctxdb.wire": "rest",
      "ctxdb.code": "OK",
      "ctxdb.account": "default",
      "ctxdb.request_id": "mine",
    });
    const commits = childrenOf(call!).filter(({ name }) => name === "commit");
    expect(commits).not.toEqual([]);
    for (const { facts } of commits)
      expect(Object.keys(facts)).toEqual(["ctxdb.waited_ms", "ctxdb.operations"]);
    expect(new Set(collector.paths)).toEqual(new Set(["/v1/traces"]));
  });

  it("jobs that a call causes send their spans in the call's trace", () => {
    const jobs = spans.filter(({ name }) => name.startsWith("job "));
    expect(jobs.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["job file-layers", "job directory-layers"]),
    );
    const ids = new Set(called("commit", TRACE).map(({ id }) => id));
    for (const job of jobs) {
      expect(job).toMatchObject({
        trace: TRACE,
        kind: 5,
        facts: { "ctxdb.queue": "semantic", "ctxdb.attempt": 1 },
      });
      expect(`job ${job.facts["ctxdb.kind"]}`).toBe(job.name);
      expect(ids, "the commit that enqueued it").toContain(job.parent);
      expect(childrenOf(job).map(({ name }) => name)).toContain("commit");
    }
  });

  it.each(Object.entries(wires))(
    "a call over %s continues the caller's trace, and its spans show the steps of a search",
    (wire, trace) => {
      const [find] = called("SearchService.Find", trace);
      expect(find).toMatchObject({ parent: CALLER, facts: { "ctxdb.wire": wire, "ctxdb.code": "OK" } });
      const steps = childrenOf(find!).map(({ name }) => name);
      expect(steps).toEqual(expect.arrayContaining(["load index", "embed query", "search"]));
    },
  );

  it("a call without a trace context starts a new trace, and a caller's error does not mark its span as failed", () => {
    const [call] = called("ContentService.ReadContent");
    expect(call).toMatchObject({ parent: "", failure: undefined, facts: { "ctxdb.code": "NOT_FOUND" } });
    expect(call!.trace).not.toBe(TRACE);
  });

  it("spans contain no contents, queries, names or keys", () => {
    const said = JSON.stringify(spans);
    for (const secret of [SECRET, "sleeps", ROOT_KEY, "ctx://"]) expect(said).not.toContain(secret);
  });
});
