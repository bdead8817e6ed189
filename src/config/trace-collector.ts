import type { Environment } from "./settings.ts";

interface Found {
  /** Trace endpoint including OTLP's path; undefined if tracing is off. */
  readonly collector: { readonly url: string } | undefined;
  readonly faults: readonly string[];
}

const PROTOCOL = "http/protobuf";
const NONE: Found = { collector: undefined, faults: [] };

/** The trace collector, from OpenTelemetry's standard variables. Only unsupported values are errors. */
export function collectorOf(env: Environment): Found {
  const of = (name: string) => env[`OTEL_${name}`]?.trim() || undefined;
  const base = of("EXPORTER_OTLP_ENDPOINT");
  const url = of("EXPORTER_OTLP_TRACES_ENDPOINT") ?? (base && `${base.replace(/\/+$/, "")}/v1/traces`);
  const exporter = of("TRACES_EXPORTER") ?? "otlp";
  if (url === undefined || exporter === "none" || of("SDK_DISABLED")?.toLowerCase() === "true") return NONE;
  const faults: string[] = [];
  if (exporter !== "otlp") faults.push("OTEL_TRACES_EXPORTER must be otlp or none");
  const protocol = of("EXPORTER_OTLP_TRACES_PROTOCOL") ?? of("EXPORTER_OTLP_PROTOCOL") ?? PROTOCOL;
  if (protocol !== PROTOCOL)
    faults.push(`OTEL_EXPORTER_OTLP_PROTOCOL ${protocol} is not supported: must be ${PROTOCOL}`);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    faults.push("OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL");
  return { collector: { url }, faults };
}
