import { useMutation, useQuery } from "@tanstack/react-query";
import type { Entry, Listing } from "../../../typescript/src/groups/fs.ts";
import { client } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { noteTreeChange } from "./tree-changes.ts";

export type { Entry };

/** Maximum number of entries per page of a folder. */
export const PAGE_ENTRIES = 1_000;

/** Refreshes all lists and nodes that a change of the tree may affect. */
export function refreshTree(): Promise<void> {
  noteTreeChange();
  return queryClient.invalidateQueries({ queryKey: ["fs"] });
}

/** A page of a folder for the tree, which caches pages itself. */
export const listEntries = (uri: string, cursor?: string): Promise<Listing> =>
  client().fs.ls({ uri, nodeLimit: PAGE_ENTRIES, ...(cursor !== undefined && { cursor }) });

/** The first page of a folder. */
export function useListEntries(uri: string, enabled = true) {
  return useQuery({
    queryKey: ["fs", "ls", uri],
    enabled,
    queryFn: ({ signal }) => client().fs.ls({ uri, nodeLimit: PAGE_ENTRIES }, { signal }),
  });
}

/** The entries of a folder with their abstracts. */
export function useListAbstracts(uri: string, limit: number, enabled = true) {
  return useQuery({
    queryKey: ["fs", "abstracts", uri, limit],
    enabled,
    queryFn: ({ signal }) =>
      client().fs.ls({ uri, output: "agent", hideSections: true, nodeLimit: limit }, { signal }),
  });
}

/** A page of everything below a folder. */
export function useListTree(uri: string, limit: number) {
  return useQuery({
    queryKey: ["fs", "tree", uri, limit],
    queryFn: ({ signal }) =>
      client().fs.tree({ uri, levelLimit: 0, nodeLimit: limit, output: "agent" }, { signal }),
  });
}

export function useStatNode(uri: string) {
  return useQuery({
    queryKey: ["fs", "stat", uri],
    queryFn: ({ signal }) => client().fs.stat({ uri }, { signal }),
  });
}

export function useMakeDirectory() {
  return useMutation({
    mutationFn: (folder: { readonly uri: string; readonly description?: string }) =>
      client().fs.mkdir(folder),
    onSuccess: () => void refreshTree(),
  });
}

export function useMoveNode() {
  return useMutation({
    mutationFn: ({ from, to }: { readonly from: string; readonly to: string }) =>
      client().fs.mv({ fromUri: from, toUri: to }),
    onSuccess: () => void refreshTree(),
  });
}

export function useCopyNode() {
  return useMutation({
    mutationFn: ({ from, to }: { readonly from: string; readonly to: string }) =>
      client().fs.cp({ fromUri: from, toUri: to }),
    onSuccess: () => void refreshTree(),
  });
}

export function useTagNode() {
  return useMutation({
    mutationFn: ({ uri, tags }: { readonly uri: string; readonly tags: string[] }) =>
      client().fs.tag({ uri, add: tags, replace: true }),
    onSuccess: () => void refreshTree(),
  });
}

export function useRemoveNode() {
  return useMutation({
    mutationFn: ({ uri, recursive }: { readonly uri: string; readonly recursive: boolean }) =>
      client().fs.rm({ uri, recursive }),
    onSuccess: () => void refreshTree(),
  });
}
