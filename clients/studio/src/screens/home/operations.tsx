import type { MetricSample } from "../../../../typescript/src/gen/ctxdb/v1/observer_pb.ts";
import { count } from "../../text/format.ts";
import { Table } from "../../ui/table.tsx";

/** Metrics of an operation over a period. */
interface Operation {
  readonly name: string;
  readonly requests: number;
  readonly errors: number;
  /** In ms; the mean over the samples, weighted by calls. */
  readonly p50: number;
  /** In ms; the worst sample. */
  readonly p99: number;
}

/** The called operations, most frequent first. */
export function operationsOf(samples: readonly MetricSample[]): Operation[] {
  const calls = samples.flatMap(({ operations }) => operations);
  return [...Map.groupBy(calls, ({ operation }) => operation)]
    .map(([name, of]) => {
      const requests = of.reduce((sum, one) => sum + one.requests, 0);
      return {
        name,
        requests,
        errors: of.reduce((sum, one) => sum + one.errors, 0),
        p50: of.reduce((sum, one) => sum + one.p50Ms * one.requests, 0) / Math.max(1, requests),
        p99: Math.max(...of.map(({ p99Ms }) => p99Ms)),
      };
    })
    .sort((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1));
}

interface OperationsProps {
  readonly operations: readonly Operation[];
  readonly selected: string;
  readonly milliseconds: (value: number) => string;
  readonly onSelect: (name: string) => void;
}

/** Requests, errors and latency of each operation; the plots show the selected one. */
export function Operations({ operations, selected, milliseconds, onSelect }: OperationsProps) {
  return (
    <div className="-mx-4 -mb-4 border-t border-line">
      <Table
        label="Operations"
        rows={operations}
        rowKey={({ name }) => name}
        columns={[
          {
            title: "Operation",
            cell: ({ name }) => (
              <button
                type="button"
                aria-pressed={name === selected}
                onClick={() => onSelect(name === selected ? "" : name)}
                className="text-left text-accent hover:underline aria-pressed:font-semibold"
              >
                {name}
              </button>
            ),
          },
          { title: "Requests", numeric: true, cell: ({ requests }) => count(requests) },
          {
            title: "Errors",
            numeric: true,
            cell: ({ errors }) => (
              <span className={errors > 0 ? "text-danger" : "text-soft"}>{count(errors)}</span>
            ),
          },
          { title: "p50", numeric: true, cell: ({ p50 }) => milliseconds(p50) },
          { title: "p99, worst", numeric: true, cell: ({ p99 }) => milliseconds(p99) },
        ]}
      />
    </div>
  );
}
