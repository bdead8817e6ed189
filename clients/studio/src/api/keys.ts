import { useMutation, useQuery } from "@tanstack/react-query";
import type { ApiKey } from "../../../typescript/src/gen/ctxdb/v1/account_pb.ts";
import { client } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type { ApiKey };

const refresh = () => queryClient.invalidateQueries({ queryKey: ["keys"] });

export interface KeyOwner {
  readonly accountId: string;
  readonly userId: string;
}

/** The keys of a user, without the keys themselves: the main key first. */
export function useListKeys({ accountId, userId }: KeyOwner) {
  return useQuery({
    queryKey: ["keys", accountId, userId],
    queryFn: ({ signal }) => client().admin.listKeys({ accountId, userId }, { signal }),
  });
}

interface NewKey extends KeyOwner {
  readonly name: string;
  readonly access: "read" | "write";
  readonly agentId?: string;
  readonly expiresAt?: string;
}

export function useCreateKey() {
  return useMutation({
    mutationFn: (key: NewKey) => client().admin.createKey(key),
    onSuccess: () => void refresh(),
  });
}

export function useRevokeKey() {
  return useMutation({
    mutationFn: (key: KeyOwner & { readonly name: string }) => client().admin.revokeKey(key),
    onSuccess: () => void refresh(),
  });
}
