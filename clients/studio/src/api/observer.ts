import { useMutation, useQuery } from "@tanstack/react-query";
import { client } from "./client.ts";
import { queryClient } from "./query-client.ts";

const REFRESH_MS = 4_000;

/** A table of the observer: header and rows. */
export interface StatusTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Parses a table: rows are separated by newlines, cells by tabs; the first row is the header. */
export function tableOf(status: string): StatusTable {
  const [head = [], ...rows] = status.split("\n").map((line) => line.split("\t"));
  return { head, rows };
}

/** The state of queues, vectors and models. */
export function useSystemState() {
  return useQuery({
    queryKey: ["observer"],
    queryFn: ({ signal }) => client().observer.system({ signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** Members of a shared store and their hand-overs; empty if the server shares none. Requires ROOT. */
export function useMembers(enabled: boolean) {
  return useQuery({
    queryKey: ["members"],
    queryFn: ({ signal }) => client().observer.members({ signal }),
    refetchInterval: REFRESH_MS,
    enabled,
  });
}

/** Starts draining a member, or stops it. */
export function useDrainMember() {
  return useMutation({
    mutationFn: (drain: { readonly number: number; readonly cancel: boolean }) =>
      client().observer.drainMember(drain),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ["members"] }),
  });
}
