import { segmentsOf } from "../../text/uri.ts";

const RESOURCES = "ctx://resources";

/** Where uploads go that are let go over a node: resources are the only place for imports. */
export const uploadFolder = (uri: string): string => (segmentsOf(uri)[0] === "resources" ? uri : RESOURCES);

/** Roots and the folders of users and agents cannot be moved or deleted; sessions are written by their own operations. */
export function isFixed(uri: string): boolean {
  const [scope, ...rest] = segmentsOf(uri);
  if (scope === undefined || scope === "session") return true;
  return scope === "resources" ? rest.length === 0 : rest.length < 2;
}

/** Whether text files and folders can be made here. */
export const isWritable = (uri: string): boolean => {
  const [scope, ...rest] = segmentsOf(uri);
  if (scope === "resources") return true;
  return scope !== undefined && scope !== "session" && rest.length > 0;
};
