import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { AddResourceResponse } from "../../clients/typescript/src/gen/ctxdb/v1/resource_pb.ts";
import type { NewResource } from "../../clients/typescript/src/groups/resources.ts";
import { LocalError } from "./cli-errors.ts";
import { EXIT } from "./exit-code.ts";
import type { Shell } from "./shell.ts";
import { isLocal } from "./target.ts";
import { bytesText } from "./terminal/amounts.ts";
import { progressOn } from "./terminal/progress.ts";

/** Whether the server fetches the source itself: `https://…`, `git@host:…`. */
export const isRemoteSource = (source: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(source) || /^[\w.-]+@[\w.-]+:/.test(source);

/**
 * Starts an import. A URL is sent as it is; a local file or folder is sent as a path if the server runs on
 * this machine and may read it, otherwise as an upload.
 */
export async function addSource(
  shell: Shell,
  source: string,
  request: NewResource,
  alwaysUpload: boolean,
): Promise<AddResourceResponse> {
  const { resources } = await shell.client();
  const { signal } = shell;
  if (isRemoteSource(source)) return resources.add({ ...request, path: source }, { signal });
  const path = resolve(source);
  await stat(path).catch(() => {
    throw new LocalError(`no such file or folder on this machine: ${source}`, EXIT.notFound);
  });
  const { address } = await shell.target();
  if (!alwaysUpload && isLocal(address)) {
    const added = await resources.add({ ...request, path }, { signal }).catch(isClosedToPaths);
    if (added) return added;
  }
  const tempPath = await uploadSource(shell, path);
  return resources.add({ ...request, tempPath }, { signal });
}

/**
 * Returns undefined if the server cannot read local paths: PERMISSION_DENIED if it does not allow them,
 * NOT_FOUND if it runs in a container. Throws any other error.
 */
function isClosedToPaths(error: {
  readonly code?: string;
  readonly details?: { readonly type?: unknown };
}): undefined {
  if (error.code === "PERMISSION_DENIED" || (error.code === "NOT_FOUND" && error.details?.type !== "target"))
    return undefined;
  throw error;
}

/** Uploads a file, or a folder as a zip archive, with a progress bar; returns the name of the upload. */
export async function uploadSource(shell: Shell, path: string): Promise<string> {
  const { resources } = await shell.client();
  const progress = await progressOn(shell.io, bytesText);
  try {
    const onSent = (bytes: number) => progress.update("uploading", bytes, 0);
    return (
      await resources.uploadPath(path, {
        signal: shell.signal,
        deadlineSeconds: shell.patienceSeconds,
        onSent,
      })
    ).tempPath;
  } finally {
    progress.end();
  }
}
