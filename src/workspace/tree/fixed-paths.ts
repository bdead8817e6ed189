import { AGENTS, type NodeId, RESOURCES, ROOT, SESSIONS, SKILLS, USERS } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";

/** Server-side paths of the implicit nodes. */
export const FIXED_PATHS: ReadonlyMap<NodeId, Path> = new Map<NodeId, Path>([
  [ROOT, []],
  [RESOURCES, ["resources"]],
  [SKILLS, ["agent", "skills"]],
  [USERS, ["user"]],
  [AGENTS, ["agent"]],
  [SESSIONS, ["session"]],
]);
