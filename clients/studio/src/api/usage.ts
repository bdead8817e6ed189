import { useMutation, useQuery } from "@tanstack/react-query";
import type { ResourceUsage, Retention } from "../../../typescript/src/gen/ctxdb/v1/system_pb.ts";
import { client } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type { ResourceUsage, Retention };

/** Interval in ms at which shown usage is read again. */
const REFRESH_MS = 30_000;

/** Usage and limits of a workspace; without a name, of the caller's own. */
export function useUsage(accountId?: string) {
  return useQuery({
    queryKey: ["usage", accountId ?? ""],
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) =>
      client().system.usage(accountId === undefined ? {} : { accountId }, { signal }),
  });
}

/** Quotas and retention by name; an absent one means the server's setting, 0 no limit. */
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
