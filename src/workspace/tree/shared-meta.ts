import type { NodeRecord } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import type { Owner } from "./locate.ts";

/**
 * Metadata of a node at a path for a user who reads it. That of memories names the sessions and messages that
 * they come from, which stay private if the memories are shared.
 */
export function metaFor({ user }: Owner, [scope, name]: Path, meta: NodeRecord["meta"]): NodeRecord["meta"] {
  if (!meta || scope !== "user" || name === user) return meta;
  const { facts: _, session: __, archive: ___, messages: ____, ...others } = meta;
  return others;
}
