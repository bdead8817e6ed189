import { useMutation, useQuery } from "@tanstack/react-query";
import { client } from "./client.ts";
import { queryClient } from "./query-client.ts";

const refresh = () => queryClient.invalidateQueries({ queryKey: ["fs", "relations"] });

/** The relations from and to a node. */
export function useListRelations(uri: string) {
  return useQuery({
    queryKey: ["fs", "relations", uri],
    queryFn: ({ signal }) => client().relations.list({ uri, direction: "both" }, { signal }),
  });
}

interface Link {
  readonly fromUri: string;
  readonly toUri: string;
}

export function useLinkNodes() {
  return useMutation({
    mutationFn: (link: Link & { readonly reason: string }) => client().relations.link(link),
    onSuccess: () => void refresh(),
  });
}

export function useUnlinkNodes() {
  return useMutation({
    mutationFn: (link: Link) => client().relations.unlink(link),
    onSuccess: () => void refresh(),
  });
}
