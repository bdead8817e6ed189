import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import type { FindResponse, SearchResponse } from "../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import type { Glob, Grep, Question, SessionQuestion } from "../../../typescript/src/groups/search.ts";
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

/** Lines that match a regular expression. */
export function useGrep(grep: Grep, enabled = true) {
  return useQuery({
    queryKey: ["fs", "grep", grep],
    enabled,
    queryFn: ({ signal }) => client().search.grep(grep, { signal }),
  });
}

export const find = (question: Question): Promise<FindResponse> => client().search.find(question);

export function useFind() {
  return useMutation({ mutationFn: find });
}

/** With a plan of queries, and the history of a session where one is named. */
export function useSearch() {
  return useMutation({ mutationFn: (question: SessionQuestion): Promise<SearchResponse> => client().search.search(question) });
}
