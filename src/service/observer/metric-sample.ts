import type { QueueName } from "../../domain/job.ts";

/** Calls of one operation in an interval. */
export interface OperationMetrics {
  readonly operation: string;
  readonly requests: number;
  readonly errors: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface QueueMetrics {
  readonly queue: QueueName;
  readonly pending: number;
  readonly inProgress: number;
}

interface ModelMetrics {
  readonly provider: string;
  readonly model: string;
  readonly prompt: number;
  readonly completion: number;
}

/** Measurements of one interval. */
export interface MetricSample {
  /** End of the interval, Unix time in ms. */
  readonly at: number;
  readonly seconds: number;
  readonly operations: readonly OperationMetrics[];
  readonly queues: readonly QueueMetrics[];
  readonly memoryBytes: number;
  readonly loopDelayMs: number;
  readonly models: readonly ModelMetrics[];
  /** Bytes of all workspaces as counted for quotas; absent in records of earlier versions. */
  readonly storedBytes?: number;
}

type Latencies = Pick<OperationMetrics, "p50Ms" | "p99Ms">;

/** Merges successive samples. Percentiles cannot be added, so they are computed from `latencies`. */
export function merged(
  samples: readonly MetricSample[],
  latencies: (operation: string) => Latencies,
): MetricSample {
  const calls = grouped(
    samples.flatMap(({ operations }) => operations),
    ({ operation }) => operation,
  );
  const queues = grouped(
    samples.flatMap((sample) => sample.queues),
    ({ queue }) => queue,
  );
  const models = grouped(
    samples.flatMap((sample) => sample.models),
    (of) => `${of.provider} ${of.model}`,
  );
  const last = samples.at(-1);
  return {
    at: last?.at ?? 0,
    seconds: sum(samples.map(({ seconds }) => seconds)),
    operations: calls.map(([first, all]) => ({
      operation: first.operation,
      requests: sum(all.map(({ requests }) => requests)),
      errors: sum(all.map(({ errors }) => errors)),
      ...latencies(first.operation),
    })),
    queues: queues.map(([first, all]) => ({
      queue: first.queue,
      pending: Math.max(...all.map(({ pending }) => pending)),
      inProgress: Math.max(...all.map(({ inProgress }) => inProgress)),
    })),
    memoryBytes: last?.memoryBytes ?? 0,
    ...(last?.storedBytes !== undefined && { storedBytes: last.storedBytes }),
    loopDelayMs: Math.max(0, ...samples.map(({ loopDelayMs }) => loopDelayMs)),
    models: models.map(([first, all]) => ({
      provider: first.provider,
      model: first.model,
      prompt: sum(all.map(({ prompt }) => prompt)),
      completion: sum(all.map(({ completion }) => completion)),
    })),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Groups items by key: the first item and all items of each group. */
function grouped<T>(items: readonly T[], keyOf: (item: T) => string): [first: T, all: readonly T[]][] {
  const groups = new Map<string, [first: T, all: T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group[1].push(item);
    else groups.set(keyOf(item), [item, [item]]);
  }
  return [...groups.values()];
}
