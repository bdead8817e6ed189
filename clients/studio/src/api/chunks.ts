import { useInfiniteQuery } from "@tanstack/react-query";
import { client } from "./client.ts";

const PAGE_CHUNKS = 20;

/** The indexed chunks of a node, in text order. */
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
