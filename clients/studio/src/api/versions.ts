import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { client } from "./client.ts";
import { refreshTree } from "./filesystem.ts";

const PAGE_VERSIONS = 50;

/** The versions of a file, newest first. */
export function useListVersions(uri: string) {
  return useInfiniteQuery({
    queryKey: ["fs", "versions", uri],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client().content.history(
        { uri, limit: PAGE_VERSIONS, ...(pageParam !== undefined && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** The differences between two versions of a text file. */
export function useDiffVersions(uri: string, fromVersion: number, toVersion: number) {
  return useQuery({
    queryKey: ["fs", "diff", uri, fromVersion, toVersion],
    queryFn: ({ signal }) => client().content.diff({ uri, fromVersion, toVersion }, { signal }),
  });
}

interface Restore {
  readonly uri: string;
  readonly version: number;
  /** Restores only if the file still has this ETag. */
  readonly ifMatch: string;
}

export function useRestoreVersion() {
  return useMutation({
    mutationFn: (restore: Restore) => client().content.restore(restore),
    onSuccess: () => void refreshTree(),
  });
}
