import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  trace as spans,
  type Tracer,
} from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Log } from "../base/log.ts";
import { type Facts, type Span, type Trace, untraced } from "../base/trace.ts";
import { ServiceError } from "../domain/errors.ts";
import { LoggedExporter } from "./logged-exporter.ts";

/** Maximum time in ms that shutdown waits for unsent spans. */
const FLUSH_LIMIT_MS = 1000;
const KINDS = { call: SpanKind.SERVER, job: SpanKind.CONSUMER };

/**
 * Exports spans with the OpenTelemetry SDK, in batches by OTLP over HTTP. Spans that do not reach the
 * collector are dropped. Sampling, limits, queue size, resource attributes and headers come from the SDK's
 * standard variables.
 */
export class OtelTrace implements Trace {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;
  readonly #active = new AsyncLocalStorage<Context | undefined>();

  /** `url`: the full OTLP endpoint. */
  constructor(url: string, version: string, log: Log) {
    const ours = resourceFromAttributes({ "service.name": "ctxdb", "service.version": version });
    this.#provider = new BasicTracerProvider({
      resource: defaultResource()
        .merge(ours)
        .merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(new LoggedExporter(new OTLPTraceExporter({ url }), log))],
    });
    this.#tracer = this.#provider.getTracer("ctxdb", version);
  }

  begin(name: string, kind: "call" | "job", parent: string | undefined): Span {
    const caller = parent === undefined ? null : parseTraceParent(parent);
    const context = caller ? spans.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true }) : ROOT_CONTEXT;
    return this.#span(this.#tracer.startSpan(name, { kind: KINDS[kind] }, context));
  }

  async step<T>(name: string, facts: Facts, work: (span: Span) => Promise<T>): Promise<T> {
    const context = this.#active.getStore();
    if (!context) return untraced.step(name, facts, work);
    const span = this.#span(this.#tracer.startSpan(name, { attributes: attributesOf(facts) }, context));
    try {
      const outcome = await span.within(() => work(span));
      span.end();
      return outcome;
    } catch (error) {
      span.end(error);
      throw error;
    }
  }

  apart<T>(work: () => T): T {
    return this.#active.run(undefined, work);
  }

  current(): string | undefined {
    const context = this.#active.getStore();
    const found = context && spans.getSpanContext(context);
    return found && `00-${found.traceId}-${found.spanId}-${found.traceFlags.toString(16).padStart(2, "0")}`;
  }

  /** Sends pending spans, for at most FLUSH_LIMIT_MS. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FLUSH_LIMIT_MS);
    });
    // export failures are already logged
    await Promise.race([this.#provider.shutdown().catch(() => undefined), limit]);
    clearTimeout(timer);
  }

  #span(made: SdkSpan): Span {
    const context = spans.setSpan(ROOT_CONTEXT, made);
    return {
      within: (work) => this.#active.run(context, work),
      tell: (facts) => void made.setAttributes(attributesOf(facts)),
      end: (error) => {
        if (error !== undefined) made.setStatus({ code: SpanStatusCode.ERROR, message: codeOf(error) });
        made.end();
      },
    };
  }
}

/** Only the code: the message may contain names. */
const codeOf = (error: unknown): string => (error instanceof ServiceError ? error.code : "INTERNAL");

const attributesOf = (facts: Facts) =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [`ctxdb.${name}`, value]));
