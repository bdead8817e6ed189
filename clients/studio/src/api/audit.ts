import { useInfiniteQuery } from "@tanstack/react-query";
import type { AuditEntry } from "../../../typescript/src/gen/ctxdb/v1/observer_pb.ts";
import { client } from "./client.ts";

export type { AuditEntry };

const PAGE_ENTRIES = 50;

/** Administrative and refused calls, newest first; for ROOT and administrators. */
export function useListAudit() {
  return useInfiniteQuery({
    queryKey: ["admin", "audit"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client().observer.audit(
        { limit: PAGE_ENTRIES, ...(pageParam !== undefined && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}
