import { dateTime } from "../../text/format.ts";

const WIDTH = 320;
const HEIGHT = 80;
/** Samples further apart than this many usual distances are not joined: the server was down. */
const GAP = 3;

export interface Series {
  readonly name: string;
  /** A class of the palette: `stroke-series-1`. */
  readonly color: string;
  readonly values: readonly (number | undefined)[];
}

interface PlotProps {
  readonly title: string;
  /** When each value was measured (ISO 8601), ascending. */
  readonly times: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

/** Values over time as lines, with the last and the highest value in words. */
export function Plot({ title, times, series, format }: PlotProps) {
  const at = times.map((time) => Date.parse(time));
  const highest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const summary = series.map(({ name, values }) => `${name} ${lastOf(values, format)}`).join(", ");
  return (
    <figure className="min-w-0">
      <figcaption className="flex flex-wrap items-baseline gap-x-3 text-[13px]">
        <span className="font-medium">{title}</span>
        <span className="text-soft tabular-nums">
          {summary}; highest {format(highest)}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="mt-1 h-20 w-full rounded-md bg-sunken"
        role="img"
        aria-label={`${title} since ${dateTime(times[0] ?? "")}: ${summary}, highest ${format(highest)}`}
      >
        {series.map(({ name, color, values }) => (
          <path
            key={name}
            d={pathOf(at, values, highest)}
            className={`fill-none ${color}`}
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
    </figure>
  );
}

function lastOf(values: Series["values"], format: PlotProps["format"]): string {
  const last = values.findLast((value) => value !== undefined);
  return last === undefined ? "–" : format(last);
}

/** A line through the values that are there, broken where samples are missing. */
function pathOf(at: readonly number[], values: Series["values"], highest: number): string {
  const first = at[0] ?? 0;
  const span = Math.max(1, (at.at(-1) ?? 0) - first);
  const usual = span / Math.max(1, at.length - 1);
  let path = "";
  let before: number | undefined;
  for (const [index, value] of values.entries()) {
    const time = at[index];
    if (value === undefined || time === undefined) continue;
    const x = ((time - first) / span) * WIDTH;
    const y = HEIGHT - 2 - (value / (highest || 1)) * (HEIGHT - 4);
    const isJoined = before !== undefined && time - before <= GAP * usual;
    path += `${isJoined ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    before = time;
  }
  return path;
}
