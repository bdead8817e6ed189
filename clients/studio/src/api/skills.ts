import { useMutation, useQuery } from "@tanstack/react-query";
import { client } from "./client.ts";
import { queryClient } from "./query-client.ts";

const refresh = () => queryClient.invalidateQueries({ queryKey: ["skills"] });

export function useListSkills() {
  return useQuery({
    queryKey: ["skills", "list"],
    queryFn: ({ signal }) => client().skills.list({ signal }),
  });
}

export function useGetSkill(name: string) {
  return useQuery({
    queryKey: ["skills", "one", name],
    queryFn: ({ signal }) => client().skills.get({ name }, { signal }),
  });
}

/** Adds a skill, given as a document with YAML front matter. */
export function useAddSkill() {
  return useMutation({
    mutationFn: (document: string) => client().skills.add({ data: document }),
    onSuccess: () => void refresh(),
  });
}

export function useDeleteSkill() {
  return useMutation({
    mutationFn: (name: string) => client().skills.delete({ name }),
    onSuccess: () => void refresh(),
  });
}
