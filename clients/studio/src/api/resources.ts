import { useMutation, useQuery } from "@tanstack/react-query";
import { parentOf, segmentsOf } from "../text/uri.ts";
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

/** The record that an import leaves in its folder. */
const RECORD = ".meta.json";
/** Folders above a node that are looked into, and entries of each: names with a dot come first. */
const MAX_FOLDERS = 16;
const FIRST_ENTRIES = 50;

/** The import that a node came with: the folder it made and its record (JSON); null where there was none. */
export function useImportRecord(uri: string) {
  return useQuery({
    queryKey: ["fs", "import", uri],
    queryFn: async ({ signal }) => {
      let folder = uri;
      for (let level = 0; level < MAX_FOLDERS && segmentsOf(folder).length > 1; level++) {
        const { entries } = await client().fs.ls(
          { uri: folder, showAllHidden: true, nodeLimit: FIRST_ENTRIES },
          { signal },
        );
        const record = entries.find(({ uri: found }) => found === `${folder}/${RECORD}`);
        if (record !== undefined) {
          const { content } = await client().content.read({ uri: record.uri }, { signal });
          return { folder, content };
        }
        folder = parentOf(folder);
      }
      return null;
    },
  });
}

/** Imports a resource again from where it came from. */
export function useRefreshResource() {
  return useMutation({
    mutationFn: (uri: string) => client().resources.refresh({ uri }),
    onSuccess: () => void refresh(),
  });
}
