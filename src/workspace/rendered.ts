import { RESERVED_NAMES } from "../domain/scope.ts";
import type { Path } from "../domain/uri.ts";
import { renderedLine, renderedText } from "./layers.ts";
import type { Listed } from "./listed.ts";
import { locate, type Owner } from "./locate.ts";
import type { Workspace } from "./workspace.ts";

/** A file that is rendered from records when it is asked for: layers and metadata of a directory. */
export interface Rendered {
  readonly text: string;
  readonly listed: Listed;
}

/** The rendered file at a path, or undefined where the path names none. */
export function renderedAt(workspace: Workspace, owner: Owner, path: Path): Rendered | undefined {
  const name = path.at(-1);
  if (name === undefined || !RESERVED_NAMES.has(name)) return undefined;
  const directory = locate(workspace.kv, workspace.keys, owner, path.slice(0, -1));
  const text = directory && renderedText(workspace, directory, name);
  if (text === undefined) return undefined;
  return { text, listed: renderedLine(workspace, directory!, name, text) };
}
