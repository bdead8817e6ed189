import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import type { MessagePart } from "../../../typescript/src/gen/ctxdb/v1/session_pb.ts";
import { client } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type { MessagePart };

const PAGE_SESSIONS = 50;

const refresh = () => queryClient.invalidateQueries({ queryKey: ["sessions"] });

export function useListSessions() {
  return useInfiniteQuery({
    queryKey: ["sessions", "list"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client().sessions.list(
        { limit: PAGE_SESSIONS, ...(pageParam !== undefined && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** The session context that a model would receive within a token budget. */
export function useSessionContext(sessionId: string, tokenBudget: number) {
  return useQuery({
    queryKey: ["sessions", "context", sessionId, tokenBudget],
    queryFn: ({ signal }) => client().sessions.context({ sessionId, tokenBudget }, { signal }),
  });
}

export function useCreateSession() {
  return useMutation({
    mutationFn: (sessionId: string | undefined) =>
      client().sessions.create(sessionId === undefined ? {} : { sessionId }),
    onSuccess: () => void refresh(),
  });
}

export function useDeleteSession() {
  return useMutation({
    mutationFn: (sessionId: string) => client().sessions.delete({ sessionId }),
    onSuccess: () => void refresh(),
  });
}

interface NewMessage {
  readonly sessionId: string;
  readonly role: "user" | "assistant";
  readonly content: string;
}

export function useAddMessage() {
  return useMutation({
    mutationFn: (message: NewMessage) => client().sessions.addMessage(message),
    onSuccess: () => void refresh(),
  });
}

/** Archives the messages and waits for the memories. */
export function useCommitSession() {
  return useMutation({
    mutationFn: (sessionId: string) => client().sessions.commit({ sessionId }),
    onSuccess: async () => {
      await refresh();
      await queryClient.invalidateQueries({ queryKey: ["fs"] });
    },
  });
}
