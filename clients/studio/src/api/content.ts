import { useMutation, useQuery } from "@tanstack/react-query";
import type { Download } from "../../../typescript/src/downloads.ts";
import { saveFile } from "../ui/save-file.ts";
import { client, codeOf } from "./client.ts";
import { refreshTree } from "./filesystem.ts";
import { queryClient } from "./query-client.ts";

/** Number of lines initially read from a long file. */
export const FIRST_LINES = 5_000;
/** Polling interval in ms for a layer that is not created yet. */
const LAYER_POLL_MS = 2_000;

/** A file as text, with its ETag; a limit of -1 reads all lines. */
export function useReadContent(uri: string, limit: number, enabled = true) {
  return useQuery({
    queryKey: ["fs", "text", uri, limit],
    enabled,
    queryFn: ({ signal }) => client().content.read({ uri, limit }, { signal }),
  });
}

/** The first lines of an earlier version of a file. */
export function useReadVersion(uri: string, version: number) {
  return useQuery({
    queryKey: ["fs", "version", uri, version],
    queryFn: ({ signal }) => client().content.read({ uri, version, limit: FIRST_LINES }, { signal }),
  });
}

/** The current content of a file, bypassing the cache. */
export function useStoredContent(uri: string) {
  return useQuery({
    queryKey: ["fs", "stored", uri],
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => client().content.read({ uri }, { signal }),
  });
}

/** Returns null for a layer that is still being created, because that is not an error. */
async function layerOrPending(ask: Promise<string>): Promise<string | null> {
  try {
    return await ask;
  } catch (thrown) {
    if (codeOf(thrown) === "FAILED_PRECONDITION") return null;
    throw thrown;
  }
}

const pollWhilePending = ({ state }: { readonly state: { readonly data?: string | null } }) =>
  state.data === null ? LAYER_POLL_MS : false;

/** The abstract (L0); null until it is created. */
export function useAbstract(uri: string) {
  return useQuery({
    queryKey: ["fs", "abstract", uri],
    queryFn: ({ signal }) => layerOrPending(client().content.abstract({ uri }, { signal })),
    refetchInterval: pollWhilePending,
  });
}

/** The overview (L1); null until it is created. */
export function useOverview(uri: string) {
  return useQuery({
    queryKey: ["fs", "overview", uri],
    queryFn: ({ signal }) => layerOrPending(client().content.overview({ uri }, { signal })),
    refetchInterval: pollWhilePending,
  });
}

interface Write {
  readonly uri: string;
  readonly content: string;
  readonly mode: "create" | "replace";
  /** Writes only if the stored file still has this ETag. */
  readonly ifMatch?: string;
}

export function useWriteContent() {
  return useMutation({
    mutationFn: (write: Write) => client().content.write(write),
    onSuccess: async ({ uri }) => {
      await queryClient.invalidateQueries({ queryKey: ["fs", "text", uri] });
      await refreshTree();
    },
  });
}

async function blobOf({ bytes }: Download, type: string): Promise<Blob> {
  const pieces: BlobPart[] = [];
  for await (const piece of bytes) pieces.push(piece as Uint8Array<ArrayBuffer>);
  return new Blob(pieces, { type });
}

/** The content of a file as an image of the given type, for use only in an <img> element. */
export function useImage(uri: string, type: string) {
  return useQuery({
    queryKey: ["fs", "image", uri],
    queryFn: async ({ signal }) => blobOf(await client().content.download({ uri }, { signal }), type),
  });
}

/** Saves stored content without a media type that a browser could open as a page. */
const save = async (download: Download, name: string): Promise<void> =>
  saveFile(await blobOf(download, "application/octet-stream"), name);

interface FileToDownload {
  readonly uri: string;
  readonly name: string;
  /** Number of an earlier version; the current one if absent. */
  readonly version?: number;
}

export function useDownload() {
  return useMutation({
    mutationFn: async ({ uri, name, version }: FileToDownload) =>
      save(await client().content.download({ uri, ...(version !== undefined && { version }) }), name),
  });
}

/** Exports a file or folder as a pack. */
export function useExportPack() {
  return useMutation({
    mutationFn: async ({ uri, name }: { readonly uri: string; readonly name: string }) =>
      save(await client().packs.export({ uri }), `${name}.zip`),
  });
}
