import type { MetricSample } from "../../../../typescript/src/gen/ctxdb/v1/observer_pb.ts";
import { visible } from "../../text/uri.ts";
import { Plot } from "./plot.tsx";

/** Distinguishable line colours, for the models with the most tokens. */
const COLORS = ["--series-1", "--series-2", "--series-3", "--series-4"] as const;
const TITLE = "Tokens by model";

interface TokensProps {
  readonly times: readonly string[];
  readonly samples: readonly MetricSample[];
  readonly format: (value: number) => string;
}

/** Tokens that each remote model has read and written. */
export function Tokens({ times, samples, format }: TokensProps) {
  const totals = new Map<string, number>();
  for (const { model, prompt, completion } of samples.flatMap(({ models }) => models))
    totals.set(model, (totals.get(model) ?? 0) + prompt + completion);
  const models = [...totals].sort(([, a], [, b]) => b - a).map(([model]) => model);
  if (models.length === 0) {
    return (
      <figure className="min-w-0">
        <figcaption className="text-[13px] font-medium">{TITLE}</figcaption>
        <p className="mt-2 text-[13px] text-soft">No calls to remote models.</p>
      </figure>
    );
  }
  const series = COLORS.slice(0, models.length).map((color, index) => ({
    color,
    name: visible(models[index] ?? ""),
    values: samples.map((sample) =>
      sample.models
        .filter(({ model }) => model === models[index])
        .reduce((sum, { prompt, completion }) => sum + prompt + completion, 0),
    ),
  }));
  return <Plot title={TITLE} times={times} format={format} series={series} />;
}
