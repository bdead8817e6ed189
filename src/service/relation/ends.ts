import { checkVisible } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ServiceCall } from "../call.ts";

/**
 * The path of an end of a relation: it must lie in what the caller may see, whether or not something is
 * there.
 */
export function endAt(workspace: Workspace, call: ServiceCall, uri: string): Path {
  const path = workspace.uris.parse(uri);
  checkVisible(call.caller, path, workspace.uris.format(path));
  return path;
}
