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

/** Deletes memories. The messages that they were made of stay in their archives. */
export function useDeleteMemories() {
  return useMutation({
    mutationFn: async (uris: readonly string[]) => {
      for (const uri of uris) await client().fs.rm({ uri });
    },
    onSettled: () => void refreshTree(),
  });
}
