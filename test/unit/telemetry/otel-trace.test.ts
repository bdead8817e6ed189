import type { ExportResult } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unavailable } from "../../../src/domain/errors.ts";
import { LoggedExporter } from "../../../src/telemetry/logged-exporter.ts";
import { OtelTrace } from "../../../src/telemetry/otel-trace.ts";
import { Collector } from "../../support/collector.ts";

/** Far less than the delay that a collector without answers could cause at shutdown. */
const CLOSE_LIMIT_MS = 8000;

describe("traces", () => {
  const lines: string[] = [];
  const log = pino(
    { level: "info" },
    { write: (line: string) => void lines.push(String(JSON.parse(line).msg)) },
  );
  let collector: Collector;
  beforeEach(async () => {
    lines.length = 0;
    collector = new Collector();
    await collector.start();
  });
  afterEach(() => collector.stop());
  const open = () => new OtelTrace(`${collector.url}/v1/traces`, "1.2.3", log);

  it("spans record their service, their parent, and only the code of a failure", async () => {
    const trace = open();
    const call = trace.begin("call", "call", undefined);
    await expect(
      call.within(() => trace.step("step", { texts: 3 }, () => Promise.reject(unavailable("no walrus")))),
    ).rejects.toThrow();
    expect(trace.current()).toBeUndefined();
    const inside = call.within(() => trace.current());
    call.within(() => trace.apart(() => expect(trace.current()).toBeUndefined()));
    call.end();
    await trace.step("a step of nothing", {}, async () => undefined);
    await trace.close();
    const [step, whole] = collector.spans;
    expect(collector.spans).toHaveLength(2);
    expect(step).toMatchObject({
      name: "step",
      parent: whole!.id,
      facts: { "ctxdb.texts": 3 },
      failure: "UNAVAILABLE",
    });
    expect(whole).toMatchObject({
      name: "call",
      parent: "",
      server: { "service.name": "ctxdb", "service.version": "1.2.3" },
    });
    expect(inside).toBe(`00-${whole!.trace}-${whole!.id}-01`);
  });

  it("no span is sent if the caller's trace is not sampled", async () => {
    const trace = open();
    const call = trace.begin("call", "call", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00");
    call.within(() => expect(trace.current()).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-.*-00$/));
    call.end();
    await trace.close();
    expect(collector.spans).toEqual([]);
  });

  it("spans that cannot be sent are logged once, and once more on recovery", async () => {
    const exporter = new LoggedExporter(new OTLPTraceExporter({ url: `${collector.url}/v1/traces` }), log);
    for (const status of [400, 400, 200, 200]) {
      collector.script = (answer) => void answer.writeHead(status).end();
      await new Promise<ExportResult>((resolve) => exporter.export([], resolve));
    }
    expect(collector.paths).toHaveLength(4);
    expect(lines).toEqual([
      "traces do not reach the collector; they are dropped until they do",
      "traces reach the collector again",
    ]);
  });

  it("a silent trace collector does not delay the shutdown of the server", {
    timeout: CLOSE_LIMIT_MS,
  }, async () => {
    collector.script = () => undefined;
    const trace = open();
    trace.begin("call", "call", undefined).end();
    await trace.close();
    expect(collector.paths).toEqual(["/v1/traces"]);
  });
});
