import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { Log } from "../base/log.ts";

/** Logs once when exports to the collector start to fail, and once when they work again. */
export class LoggedExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #log: Log;
  #isWell = true;

  constructor(exporter: SpanExporter, log: Log) {
    this.#exporter = exporter;
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      this.#note(result);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  #note({ code, error }: ExportResult): void {
    const isWell = code === ExportResultCode.SUCCESS;
    if (isWell === this.#isWell) return;
    this.#isWell = isWell;
    if (isWell) this.#log.info("traces reach the collector again");
    else
      this.#log.warn(
        { reason: error?.message },
        "traces do not reach the collector; they are dropped until they do",
      );
  }
}
