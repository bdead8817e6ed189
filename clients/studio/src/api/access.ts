import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import type { AccessStep, Grant } from "../../../typescript/src/gen/ctxdb/v1/access_pb.ts";
import { client } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type { AccessStep, Grant };

const PAGE_GRANTS = 200;

/** Levels of access; each includes those before it. */
const LEVELS = ["none", "pass", "read", "write", "admin"];

/** Whether a level of access includes another one; an unknown level includes none. */
export const includesLevel = (level: string | undefined, wanted: "read" | "write" | "admin"): boolean =>
  level !== undefined && LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);

/** The caller's identity as the server sees it, with its groups. */
export function useWhoAmI() {
  return useQuery({
    queryKey: ["fs", "access", "whoami"],
    queryFn: ({ signal }) => client().access.whoAmI({ signal }),
  });
}

interface Place {
  readonly uri: string;
  /** Default: the caller. */
  readonly userId?: string;
  /** Default: the agent of the caller. */
  readonly agentId?: string;
}

/** The access level of a user for a file or folder, and the rules that lead to it. */
export function useExplainAccess({ uri, userId = "", agentId = "" }: Place) {
  return useQuery({
    queryKey: ["fs", "access", "explain", uri, userId, agentId],
    queryFn: ({ signal }) =>
      client().access.explain(
        { uri, ...(userId !== "" && { userId }), ...(agentId !== "" && { agentId }) },
        { signal },
      ),
  });
}

/** Whether the caller may change a file or folder; false until the answer is known. */
export const useMayWrite = (uri: string): boolean =>
  includesLevel(useExplainAccess({ uri }).data?.level, "write");

/** The grants on a node and on its ancestors, page by page. */
export function useListGrants(uri: string) {
  return useInfiniteQuery({
    queryKey: ["fs", "access", "grants", uri],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client().access.grants(
        { uri, limit: PAGE_GRANTS, ...(pageParam !== undefined && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** A change of access rights can change the content of every screen. */
const refreshAccess = () => queryClient.invalidateQueries({ queryKey: ["fs"] });

interface Grantee {
  readonly uri: string;
  readonly granteeType: string;
  /** Empty for everyone. */
  readonly granteeId: string;
}

export function useGrantAccess() {
  return useMutation({
    mutationFn: (grant: Grantee & { readonly level: string; readonly effect: string }) =>
      client().access.grant(grant),
    onSuccess: () => void refreshAccess(),
  });
}

export function useRevokeAccess() {
  return useMutation({
    mutationFn: (grantee: Grantee) => client().access.revoke(grantee),
    onSuccess: () => void refreshAccess(),
  });
}
