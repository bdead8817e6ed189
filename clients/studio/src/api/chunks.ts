import { useInfiniteQuery } from "@tanstack/react-query";
import { client } from "./client.ts";

const PAGE_CHUNKS = 20;

/** What the search index holds of a node, in the order of its text. */
export function useListChunks(uri: string) {
  return useInfiniteQuery({
    queryKey: ["fs", "chunks", uri],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client().content.chunks(
        { uri, limit: PAGE_CHUNKS, ...(pageParam !== undefined && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}
