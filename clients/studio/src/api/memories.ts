import { useMutation, useQuery } from "@tanstack/react-query";
import type { MemorySource } from "../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import { client } from "./client.ts";
import { refreshTree } from "./filesystem.ts";

export type { MemorySource };

/** Characters of a memory by which it is found again. */
const MAX_QUERY = 400;

/** The messages that a memory was made of: searching in it alone says so. */
export function useMemorySources(uri: string, text: string) {
  const query = text.slice(0, MAX_QUERY).trim();
  return useQuery({
    queryKey: ["fs", "sources", uri, query],
    enabled: query !== "",
    queryFn: async ({ signal }): Promise<readonly MemorySource[]> => {
      const { memories } = await client().search.find(
        { query, targetUri: [uri], limit: 1, explain: true },
        { signal },
      );
      return memories[0]?.explain?.sources ?? [];
    },
  });
}

/** What is to be forgotten: the memories of a file or folder, those with certain words, or those about someone. */
export type ForgetSelection =
  | { readonly uri: string }
  | { readonly query: string }
  | { readonly subject: string };

/** Memories that one call forgets at most. */
const MAX_FORGOTTEN = 1_000;

/** What forgetting would remove. */
export function useForgetPreview() {
  return useMutation({
    mutationFn: (selection: ForgetSelection) =>
      client().memories.forget({ ...selection, limit: MAX_FORGOTTEN, dryRun: true }),
  });
}

/** Removes memories, the sentences they were made of, and everything that was derived from them. */
export function useForget() {
  return useMutation({
    mutationFn: (selection: ForgetSelection) =>
      client().memories.forget({ ...selection, limit: MAX_FORGOTTEN }),
    onSettled: () => void refreshTree(),
  });
}
