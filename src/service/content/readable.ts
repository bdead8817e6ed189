import { invalidArgument } from "../../domain/errors.ts";
import type { Entry } from "../../domain/node.ts";
import { checkVisible } from "../../domain/scope.ts";
import type { Rendered } from "../../workspace/tree/listed.ts";
import { entryOf, mustLocate } from "../../workspace/tree/locate.ts";
import { renderedAt } from "../../workspace/tree/rendered.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ServiceCall } from "../call.ts";
import type { Tenants } from "../tenants.ts";

/** A file that can be read: stored, or rendered from records. */
export type Readable = { readonly uri: string; readonly name: string } & (
  | { readonly workspace: Workspace; readonly entry: Entry }
  | { readonly rendered: Rendered }
);

/** The file behind a URI; INVALID_ARGUMENT for a directory, NOT_FOUND where nothing is. Sets the ETag. */
export async function readableAt(
  deps: { tenants: Tenants },
  call: ServiceCall,
  text: string,
): Promise<Readable> {
  const { workspace, owner } = await deps.tenants.reading(call.caller);
  const path = workspace.uris.parse(text);
  checkVisible(call.caller, path, text);
  const uri = workspace.uris.format(path);
  const name = path.at(-1) ?? "";
  const rendered = renderedAt(workspace, owner, path);
  if (rendered) return { uri, name, rendered };
  const located = mustLocate(workspace.kv, workspace.keys, owner, path, uri);
  if (located.kind === "directory") throw invalidArgument("uri", `${uri} is a directory`);
  const entry = entryOf(located);
  if (entry.hash) call.reply.etag = entry.hash;
  return { uri, name, workspace, entry };
}
