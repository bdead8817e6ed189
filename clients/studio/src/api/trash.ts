import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import type { TrashItem } from "../../../typescript/src/gen/ctxdb/v1/trash_pb.ts";
import { client } from "./client.ts";
import { refreshTree } from "./filesystem.ts";
import { queryClient } from "./query-client.ts";

export type { TrashItem };

const PAGE_ITEMS = 50;

/** Deleted and replaced items, newest first. */
export function useListTrash() {
  return useInfiniteQuery({
    queryKey: ["fs", "trash"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client().trash.list(
        { limit: PAGE_ITEMS, ...(pageParam !== undefined && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

const refreshTrash = () => void queryClient.invalidateQueries({ queryKey: ["fs", "trash"] });

export function useRestoreTrash() {
  return useMutation({
    mutationFn: (trashId: string) => client().trash.restore({ trashId }),
    onSuccess: () => void refreshTree(),
    onSettled: refreshTrash,
  });
}

export function useDeleteTrash() {
  return useMutation({
    mutationFn: (trashId: string) => client().trash.delete({ trashId }),
    onSettled: refreshTrash,
  });
}

/**
 * Empties the trash: items from the caller's own spaces, and items that the caller removed from shared
 * folders.
 */
export function useEmptyTrash() {
  return useMutation({
    mutationFn: () => client().trash.empty(),
    onSettled: refreshTrash,
  });
}
