import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import type {
  Snapshot,
  SnapshotDifference,
  SnapshotEntry,
} from "../../../typescript/src/gen/ctxdb/v1/snapshot_pb.ts";
import { client } from "./client.ts";
import { refreshTree } from "./filesystem.ts";
import { queryClient } from "./query-client.ts";

export type { Snapshot, SnapshotDifference, SnapshotEntry };

const PAGE_ITEMS = 100;
const KEY = "snapshots";

const pageOf = (cursor: string | undefined) => ({
  limit: PAGE_ITEMS,
  ...(cursor !== undefined && { cursor }),
});

/** The snapshots that the caller can use, newest first. */
export function useListSnapshots() {
  return useInfiniteQuery({
    queryKey: [KEY],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => client().snapshots.list(pageOf(pageParam), { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Lists a folder as it was when the snapshot was taken. */
export function useSnapshotEntries(name: string, uri: string) {
  return useInfiniteQuery({
    queryKey: [KEY, name, "entries", uri],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client().snapshots.entries({ name, uri, ...pageOf(pageParam) }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** The differences between a snapshot and another one; by default the current content. */
export function useSnapshotDiff(name: string, toSnapshot: string | undefined) {
  return useInfiniteQuery({
    queryKey: [KEY, name, "diff", toSnapshot ?? ""],
    initialPageParam: undefined as string | undefined,
    // the current content changes
    staleTime: 0,
    queryFn: ({ pageParam, signal }) =>
      client().snapshots.diff(
        { name, ...(toSnapshot !== undefined && { toSnapshot }), ...pageOf(pageParam) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** What a restore would change. */
export function useRestorePreview(name: string, keepAdded: boolean) {
  return useQuery({
    queryKey: [KEY, name, "preview", keepAdded],
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => client().snapshots.restore({ name, keepAdded, dryRun: true }, { signal }),
  });
}

const refreshSnapshots = () => void queryClient.invalidateQueries({ queryKey: [KEY] });

export function useCreateSnapshot() {
  return useMutation({
    mutationFn: (snapshot: { name: string; uri: string; description?: string; expiresInSeconds?: number }) =>
      client().snapshots.create(snapshot),
    onSettled: refreshSnapshots,
  });
}

export function useRestoreSnapshot() {
  return useMutation({
    mutationFn: (restore: { name: string; keepAdded: boolean }) => client().snapshots.restore(restore),
    onSuccess: () => void refreshTree(),
    onSettled: refreshSnapshots,
  });
}

export function useDeleteSnapshot() {
  return useMutation({
    mutationFn: (name: string) => client().snapshots.delete({ name }),
    onSettled: refreshSnapshots,
  });
}
