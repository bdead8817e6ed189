import { count, dateTime, score } from "../../text/format.ts";
import { Card } from "../../ui/layout.tsx";
import { Table } from "../../ui/table.tsx";
import { Change } from "./change.tsx";
import type { Summary } from "./measures.ts";
import { type Run, tellSettings } from "./run.ts";

const MEASURES: readonly { readonly name: keyof Summary; readonly title: string; readonly about: string }[] =
  [
    { name: "recall", title: "Recall@k", about: "Share of the expected answers among the first k hits" },
    { name: "ndcg", title: "nDCG@k", about: "The same, but lower-ranked answers count less" },
    { name: "mrr", title: "MRR", about: "1 divided by the place of the first answer" },
  ];

interface RunsProps {
  readonly runs: readonly Run[];
  /** The run with which the last one is compared. */
  readonly baseline: Run | undefined;
  readonly onBaseline: (run: Run) => void;
}

/** Results of the last run, compared with an earlier one. */
export function Runs({ runs, baseline, onBaseline }: RunsProps) {
  const [last] = runs;
  if (last === undefined) return null;
  return (
    <Card title="Runs" flush>
      <dl className="grid grid-cols-1 divide-y divide-line border-b border-line sm:grid-cols-3 sm:divide-x sm:divide-y-0">
        {MEASURES.map(({ name, title, about }) => (
          <div key={name} className="px-4 py-3" title={about}>
            <dt className="text-[13px] text-soft">{title}</dt>
            <dd className="mt-0.5 flex items-baseline gap-2">
              <span className="text-2xl font-semibold tracking-tight tabular-nums">
                {score(last.summary[name])}
              </span>
              <Change by={baseline && last.summary[name] - baseline.summary[name]} />
            </dd>
          </div>
        ))}
      </dl>
      <Table
        label="Runs, latest first"
        rows={runs}
        rowKey={({ at }) => at}
        columns={[
          {
            title: "Compare with",
            hideTitle: true,
            cell: (run) =>
              run !== last && (
                <input
                  type="radio"
                  name="baseline"
                  className="size-4 accent-accent"
                  aria-label={`Compare the last run with that of ${dateTime(run.at)}`}
                  checked={run === baseline}
                  onChange={() => onBaseline(run)}
                />
              ),
          },
          { title: "Time", cell: ({ at }) => <span className="whitespace-nowrap">{dateTime(at)}</span> },
          { title: "Settings", cell: ({ settings }) => tellSettings(settings) },
          { title: "Questions", numeric: true, cell: ({ outcomes }) => count(outcomes.length) },
          ...MEASURES.map(({ name, title }) => ({
            title,
            numeric: true,
            cell: ({ summary }: Run) => score(summary[name]),
          })),
        ]}
      />
    </Card>
  );
}
