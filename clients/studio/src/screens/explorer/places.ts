import { segmentsOf } from "../../text/uri.ts";

const RESOURCES = "ctx://resources";

/** Upload folder when files are dropped on a node; only resources can be imported into. */
export const uploadFolder = (uri: string): string => (segmentsOf(uri)[0] === "resources" ? uri : RESOURCES);

/**
 * Whether a node is fixed: roots and the folders of users and agents cannot be moved or deleted, and sessions
 * are changed only by their own operations.
 */
export function isFixed(uri: string): boolean {
  const [scope, ...rest] = segmentsOf(uri);
  if (scope === undefined || scope === "session") return true;
  return scope === "resources" ? rest.length === 0 : rest.length < 2;
}

/** Whether text files and folders can be created here. */
export const isWritable = (uri: string): boolean => {
  const [scope, ...rest] = segmentsOf(uri);
  if (scope === "resources") return true;
  return scope !== undefined && scope !== "session" && rest.length > 0;
};
