/** One line of the report. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  /** Measurements of simpler alternatives on the same machine in the same run, by name. */
  readonly beside?: string;
  /** Ratio of the measured value to the alternative, if both have the same unit. */
  readonly ratio?: number;
  readonly expected?: string;
  readonly met?: boolean;
}

export interface BenchOptions {
  /** Whether this is a smoke run: small amounts, one round. */
  readonly quick: boolean;
  /** The value of `--NAME=VALUE` on the command line. */
  readonly flag?: (name: string) => string | undefined;
}

export interface Bench {
  readonly name: string;
  readonly title: string;
  run(options: BenchOptions): Promise<Figure[]>;
}

/** Latencies in ms. */
export interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString("en-US")}/s`;

/** Formats milliseconds with three significant digits. */
export const ms = (value: number): string => `${value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ms`;

const HEAD = ["", "measured", "beside, in the same run", "ratio", "expected"] as const;
const LONGEST_CELL = 72;

export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, measured, beside, ratio, expected, met }) => {
    const mark = met === undefined ? "" : met ? "  ok" : "  MISSED";
    return [
      what,
      measured,
      beside ?? "",
      ratio === undefined ? "" : ratio.toFixed(2),
      `${expected ?? ""}${mark}`,
    ];
  });
  const all = [[...HEAD], ...rows];
  const widths = HEAD.map((_, column) =>
    Math.min(LONGEST_CELL, Math.max(...all.map((row) => row[column]!.length))),
  );
  return all
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ")}`.trimEnd())
    .join("\n");
}
