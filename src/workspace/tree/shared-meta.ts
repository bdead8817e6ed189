import type { NodeRecord } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import { type Owner, SHARED_AGENTS } from "./locate.ts";

/** Whether memories at a path may come from sessions of other users, which stay private. */
export function hidesSessions({ user, agentsOf }: Owner, [scope, name]: Path): boolean {
  if (scope === "user") return name !== user;
  return scope === "agent" && name !== "skills" && agentsOf === SHARED_AGENTS;
}

/**
 * Metadata of a node for a user who reads it. For shared memories it omits the sessions and messages that
 * they come from, which stay private.
 */
export function metaFor(owner: Owner, path: Path, meta: NodeRecord["meta"]): NodeRecord["meta"] {
  if (!meta || !hidesSessions(owner, path)) return meta;
  const { facts: _, session: __, archive: ___, messages: ____, ...others } = meta;
  return others;
}
