import { useMutation, useQuery } from "@tanstack/react-query";
import type { ResourceUsage, Retention } from "../../../typescript/src/gen/ctxdb/v1/system_pb.ts";
import { client } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type { ResourceUsage, Retention };

/** Polling interval in ms while usage is shown. */
const REFRESH_MS = 30_000;

/** Usage and limits of a workspace, by default the caller's own. */
export function useUsage(accountId?: string) {
  return useQuery({
    queryKey: ["usage", accountId ?? ""],
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) =>
      client().system.usage(accountId === undefined ? {} : { accountId }, { signal }),
  });
}

/** Quotas and retention by name. Absent: the server's setting applies; 0: no limit. */
export interface Quotas {
  storedBytes?: number;
  nodes?: number;
  chunks?: number;
  requestsPerMinute?: number;
  modelTokensPerDay?: number;
  versionDays?: number;
  trashDays?: number;
  taskDays?: number;
  sessionDays?: number;
  auditDays?: number;
}

/** Replaces the quotas of a workspace; only for ROOT. */
export function useSetQuotas() {
  return useMutation({
    mutationFn: (quotas: Quotas & { readonly accountId: string }) => client().admin.setQuotas(quotas),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ["usage"] }),
  });
}
