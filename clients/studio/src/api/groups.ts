import { useMutation, useQuery } from "@tanstack/react-query";
import type { Group } from "../../../typescript/src/gen/ctxdb/v1/access_pb.ts";
import { client } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type { Group };

/** A change of groups can change what the caller may do. */
async function refresh(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ["admin"] });
  await queryClient.invalidateQueries({ queryKey: ["fs"] });
}

/** The groups of a workspace with their members; for ROOT and its administrators. */
export function useListGroups(accountId: string, enabled = true) {
  return useQuery({
    queryKey: ["admin", "groups", accountId],
    enabled,
    queryFn: ({ signal }) => client().access.listGroups({ accountId }, { signal }),
  });
}

interface GroupName {
  readonly accountId: string;
  readonly groupId: string;
}

export function useCreateGroup() {
  return useMutation({
    mutationFn: (group: GroupName) => client().access.createGroup(group),
    onSuccess: () => void refresh(),
  });
}

export function useDeleteGroup() {
  return useMutation({
    mutationFn: (group: GroupName) => client().access.deleteGroup(group),
    onSuccess: () => void refresh(),
  });
}

interface Member extends GroupName {
  readonly userId: string;
}

export function useAddGroupMember() {
  return useMutation({
    mutationFn: (member: Member) => client().access.addMember(member),
    onSuccess: () => void refresh(),
  });
}

export function useRemoveGroupMember() {
  return useMutation({
    mutationFn: (member: Member) => client().access.removeMember(member),
    onSuccess: () => void refresh(),
  });
}
