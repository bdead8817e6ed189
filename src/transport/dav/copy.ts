import { invalidArgument } from "../../domain/errors.ts";
import { copyNode } from "../../service/filesystem/copy-node.ts";
import { makeDirectoryAt } from "../../service/filesystem/make-directory.ts";
import { setProperties } from "../../service/filesystem/set-properties.ts";
import type { DavAnswer, DavExchange } from "./exchange.ts";
import { type Transfer, transferOf } from "./mkcol-delete-move.ts";
import { checkPreconditions } from "./preconditions.ts";

/**
 * COPY: copies a node with its properties and, by default, everything below it. Replaces what is at the
 * destination once the copy is complete. Status 202 if a task copies a large folder.
 */
export async function copy(exchange: DavExchange): Promise<DavAnswer> {
  const { context, depth } = exchange;
  if (depth !== "0" && depth !== "infinity") throw invalidArgument("Depth", "must be 0 or infinity");
  const transfer = await transferOf(exchange);
  const { to, replaced } = transfer;
  const { space } = await checkPreconditions(exchange, [{ path: to, isMember: !replaced, isDeep: true }]);
  if (!replaced) await exchange.free(to);
  const isLater = await make(exchange, transfer, depth === "infinity");
  if (replaced?.isDirectory) context.locks.removeTree(space, to);
  if (isLater) return { status: 202 };
  return { status: replaced ? 204 : 201 };
}

/** Starts the copy; returns whether a task completes it. */
async function make(
  exchange: DavExchange,
  { to, isDirectory, replaced }: Transfer,
  isDeep: boolean,
): Promise<boolean> {
  const { context, call, path } = exchange;
  const uri = exchange.uri(to);
  const isReplacing = replaced !== undefined;
  if (isDeep || !isDirectory) {
    const input = { fromUri: exchange.uri(), toUri: uri, wait: false, isReplacing };
    const { taskId } = await copyNode(context.deps, call, input);
    return taskId !== undefined;
  }
  const { self } = await exchange.describe(path, { withProperties: true });
  await makeDirectoryAt(context.deps, call, { uri, isReplacing });
  if (self.properties.length > 0) await setProperties(context.deps, call, { uri, changes: self.properties });
  return false;
}
