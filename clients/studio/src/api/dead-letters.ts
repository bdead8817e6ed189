import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import type { DeadLetter } from "../../../typescript/src/gen/ctxdb/v1/observer_pb.ts";
import { client } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type { DeadLetter };

const PAGE_LETTERS = 50;
const REFRESH_MS = 10_000;

/** Requires ROOT or an administrator; newest first. */
export function useListDeadLetters(enabled: boolean) {
  return useInfiniteQuery({
    queryKey: ["dead-letters"],
    enabled,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client().observer.deadLetters(
        { limit: PAGE_LETTERS, ...(pageParam !== undefined && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: REFRESH_MS,
  });
}

export function useRetryDeadLetter() {
  return useMutation({
    mutationFn: (id: string) => client().observer.retryDeadLetter({ id }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ["dead-letters"] }),
  });
}
