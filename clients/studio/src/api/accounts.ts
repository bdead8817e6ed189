import { useMutation, useQuery } from "@tanstack/react-query";
import { client } from "./client.ts";
import { queryClient } from "./query-client.ts";

const refresh = () => queryClient.invalidateQueries({ queryKey: ["admin"] });

/** All workspaces; only for ROOT. */
export function useAccounts(enabled = true) {
  return useQuery({
    queryKey: ["admin", "accounts"],
    enabled,
    queryFn: ({ signal }) => client().admin.listAccounts({ signal }),
  });
}

export function useUsers(accountId: string, enabled = true) {
  return useQuery({
    queryKey: ["admin", "users", accountId],
    enabled,
    queryFn: ({ signal }) => client().admin.listUsers({ accountId }, { signal }),
  });
}

export function useCreateAccount() {
  return useMutation({
    mutationFn: (account: { readonly accountId: string; readonly adminUserId: string }) =>
      client().admin.createAccount(account),
    onSuccess: () => void refresh(),
  });
}

export function useDeleteAccount() {
  return useMutation({
    mutationFn: (accountId: string) => client().admin.deleteAccount({ accountId }),
    onSuccess: () => void refresh(),
  });
}

interface UserName {
  readonly accountId: string;
  readonly userId: string;
}

export function useRegisterUser() {
  return useMutation({
    mutationFn: (user: UserName & { readonly role: string }) => client().admin.registerUser(user),
    onSuccess: () => void refresh(),
  });
}

export function useRemoveUser() {
  return useMutation({
    mutationFn: (user: UserName) => client().admin.removeUser(user),
    onSuccess: () => void refresh(),
  });
}

export function useSetUserRole() {
  return useMutation({
    mutationFn: (user: UserName & { readonly role: string }) => client().admin.setUserRole(user),
    onSuccess: () => void refresh(),
  });
}

export function useRegenerateUserKey() {
  return useMutation({ mutationFn: (user: UserName) => client().admin.regenerateUserKey(user) });
}
