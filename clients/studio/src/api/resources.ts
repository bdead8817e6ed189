import { useMutation } from "@tanstack/react-query";
import { client } from "./client.ts";
import { refreshTree } from "./filesystem.ts";
import { queryClient } from "./query-client.ts";

const refresh = async () => {
  await refreshTree();
  await queryClient.invalidateQueries({ queryKey: ["tasks"] });
};

/** Imports a web page, an archive on the web, or a repository. */
export function useAddUrl() {
  return useMutation({
    mutationFn: ({ url, parent }: { readonly url: string; readonly parent: string }) =>
      client().resources.add({ path: url, parent }),
    onSuccess: () => void refresh(),
  });
}

/** Imports a resource again from where it came from. */
export function useRefreshResource() {
  return useMutation({
    mutationFn: (uri: string) => client().resources.refresh({ uri }),
    onSuccess: () => void refresh(),
  });
}
