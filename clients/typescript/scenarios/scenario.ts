import type { JsonValue } from "@bufbuild/protobuf";

export type JsonObject = { [key: string]: JsonValue };

/** A local file: its text, a link, or so many bytes of PATTERN. */
export type FileContent = string | { readonly link: string } | { readonly bytes: number };

/** The caller; every value may contain `${name}`. */
export interface CallerOptions {
  readonly key?: string;
  readonly agent?: string;
  readonly account?: string;
  readonly user?: string;
  /** Instead of that of the server. */
  readonly address?: string;
  readonly retries?: number;
}

export interface Step {
  readonly id: string;
  readonly as: string;
  readonly op: string;
  readonly args?: JsonObject;
  /** Seconds. */
  readonly deadline?: number;
  /** Cancels the call when so many bytes have passed. */
  readonly cancel_after_bytes?: number;
  readonly expect: {
    readonly result?: JsonValue;
    readonly error?: JsonValue;
    readonly details?: JsonValue;
    readonly message?: JsonValue;
    readonly request_id?: JsonValue;
  };
  /** Name → path in the result. */
  readonly save?: Readonly<Record<string, string>>;
}

/** clients/scenarios.json, as clients/README.md describes it. */
export interface ScenarioList {
  readonly version: 1;
  readonly files: Readonly<Record<string, FileContent>>;
  readonly callers: Readonly<Record<string, CallerOptions>>;
  readonly steps: readonly Step[];
}

/** What files of a given size are filled with: 61 characters, so that no piece of a usual size equals the next. */
const PATTERN = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY";

export function patternBytes(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode(PATTERN.slice(0, size)));
  for (let filled = PATTERN.length; filled < size; filled *= 2)
    bytes.copyWithin(filled, 0, Math.min(filled, size - filled));
  return bytes;
}

/** Replaces `${name}` in every string. A string that is only a placeholder becomes the value itself. */
export function filled(value: JsonValue, values: ReadonlyMap<string, JsonValue>): JsonValue {
  const valueNamed = (name: string): JsonValue => {
    const found = values.get(name);
    if (found === undefined) throw new Error(`no value is called ${name}`);
    return found;
  };
  if (typeof value === "string") {
    const whole = /^\$\{(\w+)\}$/.exec(value)?.[1];
    return whole
      ? valueNamed(whole)
      : value.replace(/\$\{(\w+)\}/g, (_, name: string) => String(valueNamed(name)));
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, values)]));
}

/** `resources.0.uri` → the value there; undefined if there is none. */
export function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return path
    .split(".")
    .reduce<JsonValue | undefined>(
      (found, key) => (typeof found === "object" && found !== null ? (found as JsonObject)[key] : undefined),
      value,
    );
}
