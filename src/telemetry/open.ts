import type { Closers } from "../base/closers.ts";
import type { Log } from "../base/log.ts";
import { type Trace, untraced } from "../base/trace.ts";

export interface TraceDeps {
  readonly version: string;
  readonly log: Log;
  readonly closers: Closers;
}

/** Sends traces to the given collector. Without one, the SDK is not loaded. */
export async function openTrace(
  collector: { readonly url: string } | undefined,
  { version, log, closers }: TraceDeps,
): Promise<Trace> {
  if (!collector) return untraced;
  const { OtelTrace } = await import("./otel-trace.ts");
  const trace = new OtelTrace(collector.url, version, log);
  closers.add("traces", "storage", () => trace.close());
  return trace;
}
