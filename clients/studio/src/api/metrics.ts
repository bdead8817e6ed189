import { useQuery } from "@tanstack/react-query";
import type { MetricSample } from "../../../typescript/src/gen/ctxdb/v1/observer_pb.ts";
import { client } from "./client.ts";

const REFRESH_MS = { "10s": 10_000, "1m": 60_000 } as const;
/** Maximum number of pages with 360 samples each: a day of minutes. */
const MAX_PAGES = 5;

export type Resolution = keyof typeof REFRESH_MS;

/** Server metrics, oldest first; only for ROOT. */
export function useListMetrics(resolution: Resolution, enabled: boolean) {
  return useQuery({
    queryKey: ["metrics", resolution],
    queryFn: ({ signal }) => readAll(resolution, signal),
    refetchInterval: REFRESH_MS[resolution],
    enabled,
  });
}

async function readAll(resolution: Resolution, signal: AbortSignal): Promise<MetricSample[]> {
  const samples: MetricSample[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const after = samples.at(-1)?.at;
    const answer = await client().observer.metrics(
      { resolution, ...(after !== undefined && { after }) },
      { signal },
    );
    samples.push(...answer.samples);
    if (!answer.hasMore) break;
  }
  return samples;
}
