import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import type { FindResponse, SearchResponse } from "../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import type { Glob, Question, SessionQuestion } from "../../../typescript/src/groups/search.ts";
import { client } from "./client.ts";

/** URIs whose path matches a pattern. */
export function useGlob(glob: Glob, enabled = true) {
  return useQuery({
    queryKey: ["fs", "glob", glob],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client().search.glob(glob, { signal }),
  });
}

export const find = (question: Question, signal?: AbortSignal): Promise<FindResponse> =>
  client().search.find(question, { signal });

export function useFind() {
  return useMutation({ mutationFn: (question: Question) => find(question) });
}

/** Searches with planned queries, and the history of a session if given. */
export const search = (question: SessionQuestion, signal?: AbortSignal): Promise<SearchResponse> =>
  client().search.search(question, { signal });

export function useSearch() {
  return useMutation({ mutationFn: (question: SessionQuestion) => search(question) });
}

/** The best hits within folders, shown while the query is typed. */
export function useFindIn(query: string, targetUri: string[]) {
  return useQuery({
    queryKey: ["fs", "find", query, targetUri],
    enabled: query !== "",
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client().search.find({ query, targetUri, limit: 30 }, { signal }),
  });
}
