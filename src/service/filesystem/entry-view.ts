import { invalidArgument } from "../../domain/errors.ts";
import { DIRECTORY_MODE, FILE_MODE, type NodeId } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import type { Listed } from "../../workspace/tree/listed.ts";
import { shownTags } from "../../workspace/tree/node-tags.ts";
import { ownUri } from "../../workspace/tree/own-path.ts";
import { layerAt } from "../../workspace/tree/rendered.ts";
import type { Tenant } from "../tenants.ts";

export type Output = "original" | "agent";

export const DEFAULT_ABSTRACT_LIMIT = 256;
export const DEFAULT_NODE_LIMIT = 1000;
export const MAX_NODE_LIMIT = 100_000;

export interface OriginalEntry {
  name: string;
  /** Size in bytes. */
  size: number;
  mode: number;
  isDir: boolean;
  uri: string;
  /** Unix time in seconds, with fraction. */
  mtime: number;
  ctime: number;
  /** ISO 8601, UTC. */
  modTime: string;
  /** The file from which the node is derived. */
  source?: string;
  /** The node's own tags; absent if none. */
  tags?: string[];
}

export interface AgentEntry {
  uri: string;
  size: number;
  isDir: boolean;
  modTime: string;
  abstract: string;
  source?: string;
  tags?: string[];
}

export function checkOutput(output: string | undefined): Output {
  if (output === undefined || output === "original") return "original";
  if (output === "agent") return "agent";
  throw invalidArgument("output", "must be original or agent");
}

/** Validates node_limit, which overrides its alias limit. */
export function checkNodeLimit(nodeLimit: number | undefined, alias?: number): number {
  const limit = nodeLimit ?? alias ?? DEFAULT_NODE_LIMIT;
  if (limit < 1 || limit > MAX_NODE_LIMIT)
    throw invalidArgument("node_limit", `must be 1 to ${MAX_NODE_LIMIT}`);
  return limit;
}

/** Truncates text to `limit` code points, including the ellipsis. */
export function cutAbstract(text: string, limit: number): string {
  const points = [...text];
  return points.length <= limit
    ? text
    : points.slice(0, Math.max(0, limit - 3)).join("") + "...".slice(0, limit);
}

/** `source`: the file from which the entry is derived, as returned by `sourceUri`. */
export function originalEntry({ workspace, owner }: Tenant, item: Listed, source?: string): OriginalEntry {
  return {
    name: item.name,
    size: item.size,
    mode: item.isDirectory ? DIRECTORY_MODE : FILE_MODE,
    isDir: item.isDirectory,
    uri: workspace.uris.format(item.path),
    mtime: item.modified / 1000,
    ctime: item.created / 1000,
    modTime: new Date(item.modified).toISOString(),
    ...(source !== undefined && { source }),
    ...tagsIn({ workspace, owner }, item),
  };
}

/** The `tags` field of an entry's view; absent without tags. */
function tagsIn({ workspace, owner }: Tenant, { node }: Listed): { tags?: string[] } {
  const tags = shownTags(workspace, owner, node);
  return tags.length > 0 ? { tags: [...tags] } : {};
}

export function agentEntry(
  { workspace, owner }: Tenant,
  item: Listed,
  source: string | undefined,
  abstractLimit: number,
): AgentEntry {
  return {
    uri: workspace.uris.format(item.path),
    size: item.size,
    isDir: item.isDirectory,
    modTime: new Date(item.modified).toISOString(),
    abstract: cutAbstract(layerAt(workspace, owner, item, 0) ?? "", abstractLimit),
    ...(source !== undefined && { source }),
    ...tagsIn({ workspace, owner }, item),
  };
}

/**
 * The file from which a node is derived; undefined if it is not derived, or the file belongs to another user.
 */
export const sourceUri = (
  { workspace, owner }: Tenant,
  { entry }: Pick<Listed, "entry">,
  cache?: Map<NodeId, Path>,
): string | undefined =>
  entry?.source === undefined ? undefined : ownUri(workspace, owner, entry.source, cache);
