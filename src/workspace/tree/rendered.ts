import { RESERVED_NAMES } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { KvPages } from "../../storage/kv.ts";
import { sessionFile, sessionLayer } from "../sessions/rendered-files.ts";
import type { Workspace } from "../workspace.ts";
import { renderedText, shownLayer } from "./layers.ts";
import { type Listed, type Rendered, renderedFrom } from "./listed.ts";
import { locate, type Owner } from "./locate.ts";

/**
 * L0 or L1 of a file or directory, including those in sessions, as visible to a viewer; undefined until
 * created.
 */
export const layerAt = (
  workspace: Workspace,
  owner: Owner,
  { entry, session }: Pick<Listed, "entry" | "session">,
  level: 0 | 1,
): string | undefined =>
  session
    ? sessionLayer(workspace, workspace.kv, session, level)
    : entry && shownLayer(workspace, owner, entry, level);

/**
 * The rendered file at a path (layers and metadata of a directory, files of a session); undefined for other
 * paths.
 */
export function renderedAt(
  workspace: Workspace,
  owner: Owner,
  path: Path,
  kv: KvPages = workspace.kv,
): Rendered | undefined {
  const name = path.at(-1);
  const isInSession = path[0] === "session" && path.length > 3;
  if (name === undefined || !(isInSession || RESERVED_NAMES.has(name))) return undefined;
  const directory = locate(kv, workspace.keys, owner, path.slice(0, -1));
  if (directory?.session) return sessionFile(workspace, kv, directory, name);
  if (!directory) return undefined;
  const text = renderedText(workspace, owner, directory, name);
  return text === undefined ? undefined : renderedFrom(workspace, directory, name, text);
}
