import type { Entry, NodeId } from "../domain/node.ts";
import type { Path } from "../domain/uri.ts";
import type { Located } from "./locate.ts";
import type { Workspace } from "./workspace.ts";

/** One line of a listing. Rendered files (layers, metadata) have no entry of their own: `size` and times are those of what they show. */
export interface Listed {
  readonly path: Path;
  readonly name: string;
  readonly isDirectory: boolean;
  readonly size: number;
  /** Unix time in ms. */
  readonly created: number;
  readonly modified: number;
  readonly node: NodeId;
  readonly entry?: Entry;
}

export const listedOf = (workspace: Workspace, located: Located): Listed => ({
  path: located.path,
  name: located.path.at(-1) ?? "",
  isDirectory: located.kind === "directory",
  size: located.entry?.size ?? 0,
  created: located.entry?.created ?? workspace.createdAt,
  modified: located.entry?.modified ?? workspace.createdAt,
  node: located.node,
  ...(located.entry && { entry: located.entry }),
});
