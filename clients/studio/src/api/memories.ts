import { useMutation, useQuery } from "@tanstack/react-query";
import type { MemorySource } from "../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import { client } from "./client.ts";
import { refreshTree } from "./filesystem.ts";

export type { MemorySource };

/** Maximum characters of a memory used as a query to find it again. */
const MAX_QUERY = 400;

/** The source messages of a memory, from a search restricted to it, which returns them. */
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

/** What to forget: memories of a file or folder, those with certain words, or those about somebody. */
export type ForgetSelection =
  | { readonly uri: string }
  | { readonly query: string }
  | { readonly subject: string };

/** Maximum number of memories that one call forgets. */
const MAX_FORGOTTEN = 1_000;

/** Shows what forgetting would remove. */
export function useForgetPreview() {
  return useMutation({
    mutationFn: (selection: ForgetSelection) =>
      client().memories.forget({ ...selection, limit: MAX_FORGOTTEN, dryRun: true }),
  });
}

/** Removes memories, their source sentences, and everything derived from them. */
export function useForget() {
  return useMutation({
    mutationFn: (selection: ForgetSelection) =>
      client().memories.forget({ ...selection, limit: MAX_FORGOTTEN }),
    onSettled: () => void refreshTree(),
  });
}
