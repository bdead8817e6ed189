import { useState } from "react";
import type { MetricSample } from "../../../../typescript/src/gen/ctxdb/v1/observer_pb.ts";
import { type Resolution, useListMetrics } from "../../api/metrics.ts";
import { useRole } from "../../api/system.ts";
import { bytes, count } from "../../text/format.ts";
import { Card } from "../../ui/layout.tsx";
import { Failure, Loading } from "../../ui/states.tsx";
import { Operations, operationsOf } from "./operations.tsx";
import { Plot } from "./plot.tsx";
import { Tokens } from "./tokens.tsx";

const ALL = "";
const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const whole = (value: number): string => count(Math.round(value));

/** Server metrics of the last hour or day; only for ROOT, because they cover all workspaces. */
export function Metrics() {
  const isRoot = useRole() === "root";
  const [resolution, setResolution] = useState<Resolution>("10s");
  const { data: samples, error, refetch } = useListMetrics(resolution, isRoot);
  if (!isRoot) return null;
  return (
    <Card
      title="Server over time"
      actions={
        <select
          aria-label="Period"
          value={resolution}
          onChange={(event) => setResolution(event.target.value === "1m" ? "1m" : "10s")}
          className={SELECT}
        >
          <option value="10s">Last hour</option>
          <option value="1m">Last day</option>
        </select>
      }
    >
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {samples === undefined && error === null && <Loading />}
      {samples !== undefined && samples.length < 2 && (
        <p className="text-soft">No measurements yet. The first charts appear within two minutes.</p>
      )}
      {samples !== undefined && samples.length >= 2 && <Plots samples={samples} />}
    </Card>
  );
}

const SELECT = "rounded-md border border-line-strong bg-surface px-2 py-1 text-[13px]";

function Plots({ samples }: { readonly samples: readonly MetricSample[] }) {
  const [operation, setOperation] = useState(ALL);
  const operations = operationsOf(samples);
  const names = operations.map(({ name }) => name).sort();
  const times = samples.map(({ at }) => at);
  const calls = samples.map((sample) =>
    sample.operations.filter((of) => operation === ALL || of.operation === operation),
  );
  const sums = (figure: "requests" | "errors") =>
    calls.map((all) => all.reduce((sum, of) => sum + of[figure], 0));
  const worst = (figure: "p50Ms" | "p99Ms") =>
    calls.map((all) => (all.length === 0 ? undefined : Math.max(...all.map((of) => of[figure]))));
  const jobs = (figure: "pending" | "inProgress") =>
    samples.map(({ queues }) => queues.reduce((sum, of) => sum + of[figure], 0));
  const one = (name: string, values: (number | undefined)[]) => ({ name, values, color: "--series-1" });
  const two = (name: string, values: (number | undefined)[]) => ({ name, values, color: "--series-3" });
  return (
    <div className="flex flex-col gap-4">
      <label className="flex flex-wrap items-center gap-2 text-[13px]">
        Operation
        <select
          value={operation}
          onChange={(event) => setOperation(event.target.value)}
          className={`${SELECT} max-w-full`}
        >
          <option value={ALL}>All (latency: the slowest)</option>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <Plot
          title="Requests"
          times={times}
          format={whole}
          series={[one("all", sums("requests")), two("errors", sums("errors"))]}
        />
        <Plot
          title="Latency"
          times={times}
          format={milliseconds}
          series={[one("p50", worst("p50Ms")), two("p99", worst("p99Ms"))]}
        />
        <Plot
          title="Jobs"
          times={times}
          format={whole}
          series={[one("waiting", jobs("pending")), two("running", jobs("inProgress"))]}
        />
        <Plot
          title="Memory"
          times={times}
          format={(value) => bytes(Math.round(value))}
          series={[
            one(
              "process",
              samples.map(({ memoryBytes }) => memoryBytes),
            ),
          ]}
        />
        <Plot
          title="Growth"
          times={times}
          format={(value) => bytes(Math.round(value))}
          series={[
            one(
              "stored",
              samples.map(({ storedBytes }) => storedBytes),
            ),
          ]}
        />
        <Plot
          title="Loop delay"
          times={times}
          format={milliseconds}
          series={[
            one(
              "p99",
              samples.map(({ loopDelayMs }) => loopDelayMs),
            ),
          ]}
        />
        <Tokens times={times} samples={samples} format={whole} />
      </div>
      <Operations
        operations={operations}
        selected={operation}
        milliseconds={milliseconds}
        onSelect={setOperation}
      />
    </div>
  );
}
