import { checkVisible } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ServiceCall } from "../call.ts";

/** The path of a relation's end: it must be visible to the caller, whether or not it exists. */
export function endAt(workspace: Workspace, call: ServiceCall, uri: string): Path {
  const path = workspace.uris.parse(uri);
  checkVisible(call.caller, path, workspace.uris.format(path));
  return path;
}
