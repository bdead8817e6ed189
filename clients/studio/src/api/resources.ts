import { useMutation, useQuery } from "@tanstack/react-query";
import { parentOf, segmentsOf } from "../text/uri.ts";
import { client } from "./client.ts";
import { refreshTree } from "./filesystem.ts";
import { queryClient } from "./query-client.ts";

const refresh = async () => {
  await refreshTree();
  await queryClient.invalidateQueries({ queryKey: ["tasks"] });
};

/** Imports a web page, an archive from the web, or a repository. */
export function useAddUrl() {
  return useMutation({
    mutationFn: ({ url, parent }: { readonly url: string; readonly parent: string }) =>
      client().resources.add({ path: url, parent }),
    onSuccess: () => void refresh(),
  });
}

/** File with the metadata of an import, in its folder. */
const RECORD = ".meta.json";
/**
 * Maximum number of parent folders searched, and of entries read in each; names that start with a dot come
 * first.
 */
const MAX_FOLDERS = 16;
const FIRST_ENTRIES = 50;

/** The import that created a node: its folder and metadata (JSON); null if the node was not imported. */
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

/** Interval for reading a schedule again, since its runs change it. */
const SCHEDULE_REFRESH_MS = 3_000;

/** The refresh schedule of a resource; null if it has none. */
export function useRefreshSchedule(uri: string) {
  return useQuery({
    queryKey: ["schedules", uri],
    queryFn: async ({ signal }) => {
      const found = await client().resources.schedules({ uri }, { signal });
      return found.find((one) => one.uri === uri) ?? null;
    },
    refetchInterval: SCHEDULE_REFRESH_MS,
  });
}

const refreshSchedules = () => queryClient.invalidateQueries({ queryKey: ["schedules"] });

interface ScheduleChange {
  readonly uri: string;
  readonly intervalSeconds?: number;
  readonly paused?: boolean;
}

/** Sets, pauses or resumes the schedule of a resource. */
export function useScheduleRefresh() {
  return useMutation({
    mutationFn: (change: ScheduleChange) => client().resources.schedule(change),
    onSuccess: () => void refreshSchedules(),
  });
}

export function useRunRefreshSchedule() {
  return useMutation({
    mutationFn: (uri: string) => client().resources.runSchedule({ uri }),
    onSuccess: () => void refreshSchedules(),
  });
}

export function useDeleteRefreshSchedule() {
  return useMutation({
    mutationFn: (uri: string) => client().resources.deleteSchedule({ uri }),
    onSuccess: () => void refreshSchedules(),
  });
}

/** Imports a resource from its source again. */
export function useRefreshResource() {
  return useMutation({
    mutationFn: (uri: string) => client().resources.refresh({ uri }),
    onSuccess: () => void refresh(),
  });
}
