import { useEffect, useRef, useState } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useIsDark } from "../../shell/theme.ts";
import { clockTime, dateTime } from "../../text/format.ts";

const HEIGHT = 120;
/**
 * Samples are not connected if their distance exceeds this multiple of the usual one: the server was down.
 */
const GAP = 3;

export interface Series {
  readonly name: string;
  /** CSS variable of a palette colour, such as `--series-1`. */
  readonly color: string;
  readonly values: readonly (number | undefined)[];
}

interface PlotProps {
  readonly title: string;
  /** Time of each value (ISO 8601), ascending. */
  readonly times: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

/**
 * A line chart of values over time. Above it are the values under the pointer, otherwise the last ones, in
 * words.
 */
export function Plot({ title, times, series, format }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number>();
  const isDark = useIsDark();
  const latest = useRef({ times, series, format });
  latest.current = { times, series, format };
  const shape = series.map(({ name, color }) => `${name} ${color}`).join();
  const plot = useRef<UPlot>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme and the lines are not read here, but a change of them needs a new plot
  useEffect(() => {
    if (place.current === null) return;
    const made = draw(
      place.current,
      latest.current.series,
      (value) => latest.current.format(value),
      setPointed,
    );
    plot.current = made;
    made.setData(dataOf(latest.current.times, latest.current.series));
    const sized = new ResizeObserver(([entry]) => {
      if (entry !== undefined) made.setSize({ width: entry.contentRect.width, height: HEIGHT });
    });
    sized.observe(place.current);
    return () => {
      sized.disconnect();
      made.destroy();
    };
  }, [isDark, shape]);
  useEffect(() => plot.current?.setData(dataOf(times, series)), [times, series]);
  const highest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const last = series.map(({ name, values }) => `${name} ${lastOf(values, format)}`).join(", ");
  return (
    <figure className="min-w-0">
      <figcaption className="flex flex-wrap items-baseline gap-x-3 text-[13px]">
        <span className="font-medium">{title}</span>
        {series.map(({ name, color, values }) => (
          <span key={name} className="flex items-baseline gap-1 text-soft tabular-nums">
            <span aria-hidden className="size-2 rounded-full" style={{ background: `var(${color})` }} />
            {name}{" "}
            {pointed === undefined
              ? lastOf(values, format)
              : lastOf([valueAt(times, values, pointed)], format)}
          </span>
        ))}
      </figcaption>
      <div
        ref={place}
        className="mt-1 min-h-30"
        role="img"
        aria-label={`${title} since ${dateTime(times[0] ?? "")}: ${last}, highest ${format(highest)}`}
      />
    </figure>
  );
}

/** The value of the sample at a time in seconds. */
const valueAt = (times: readonly string[], values: Series["values"], at: number): number | undefined =>
  values[times.findIndex((time) => Date.parse(time) / 1000 === at)];

function lastOf(values: Series["values"], format: PlotProps["format"]): string {
  const last = values.findLast((value) => value !== undefined);
  return last === undefined ? "–" : format(last);
}

/** Columns of the chart: times in seconds, then each line, with gaps for missing samples. */
function dataOf(times: readonly string[], series: readonly Series[]): UPlot.AlignedData {
  const at = times.map((time) => Date.parse(time) / 1000);
  const usual = ((at.at(-1) ?? 0) - (at[0] ?? 0)) / Math.max(1, at.length - 1);
  const x: number[] = [];
  const columns: (number | null)[][] = series.map(() => []);
  for (const [index, time] of at.entries()) {
    const before = at[index - 1];
    if (before !== undefined && time - before > GAP * usual) {
      x.push(before + usual);
      for (const column of columns) column.push(null);
    }
    x.push(time);
    for (const [of, column] of columns.entries()) column.push(series[of]?.values[index] ?? null);
  }
  return [x, ...columns];
}

function draw(
  place: HTMLElement,
  series: readonly Series[],
  format: (value: number) => string,
  onPoint: (at: number | undefined) => void,
): UPlot {
  const styles = getComputedStyle(document.documentElement);
  const color = (role: string) => styles.getPropertyValue(role).trim();
  const axis = {
    stroke: color("--soft"),
    grid: { stroke: color("--line"), width: 1 },
    ticks: { show: false },
  };
  const font = `11px ${getComputedStyle(document.body).fontFamily}`;
  return new UPlot(
    {
      width: Math.max(1, place.clientWidth),
      height: HEIGHT,
      padding: [8, 4, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { size: 6 } },
      scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
      axes: [
        {
          ...axis,
          font,
          grid: { show: false },
          size: 24,
          space: 70,
          values: (_, splits) => splits.map((split) => clockTime(split * 1000)),
        },
        {
          ...axis,
          font,
          size: 58,
          space: 34,
          // omit equal labels, which would mark the same grid line twice
          values: (_, splits) =>
            splits.map(format).map((text, at, all) => (text === all[at - 1] ? "" : text)),
        },
      ],
      series: [
        {},
        ...series.map(({ name, color: role }) => ({
          label: name,
          stroke: color(role),
          width: 1.5,
          points: { show: false },
        })),
      ],
      hooks: {
        setCursor: [
          ({ cursor, data }) => onPoint(cursor.idx == null ? undefined : (data[0][cursor.idx] ?? undefined)),
        ],
      },
    },
    [[], ...series.map(() => [])],
    place,
  );
}
