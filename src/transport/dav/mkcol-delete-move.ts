import { FilesystemService } from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import { invalidArgument, permissionDenied, ServiceError } from "../../domain/errors.ts";
import { isInside, type Path } from "../../domain/uri.ts";
import { moveNode } from "../../service/filesystem/move-node.ts";
import { hasBody } from "../request-body.ts";
import { conditionFails, conflict, notHere } from "./dav-error.ts";
import type { DavAnswer, DavExchange } from "./exchange.ts";
import { hrefOf, pathOf, pathOfUrl } from "./paths.ts";
import { checkPreconditions } from "./preconditions.ts";

const { method: FILESYSTEM } = FilesystemService;

export async function mkcol(exchange: DavExchange): Promise<DavAnswer> {
  const { path, context, call, request } = exchange;
  if (hasBody(request)) throw invalidArgument("body", "must be empty for MKCOL", 415);
  await context.pipeline.turn(call);
  if (await exchange.find(path)) throw notHere("MKCOL", hrefOf(path, true), "it exists already");
  await exchange.checkParent(path);
  await checkPreconditions(exchange, [{ path, isMember: true }]);
  try {
    await exchange.free(path);
    await exchange.run(FILESYSTEM.makeDirectory, { uri: exchange.uri() });
  } catch (error) {
    if (error instanceof ServiceError && error.code === "ALREADY_EXISTS")
      throw notHere("MKCOL", hrefOf(path, true), "it exists already");
    throw error;
  }
  return { status: 201 };
}

export async function remove(exchange: DavExchange): Promise<DavAnswer> {
  const { path, context, call } = exchange;
  await context.pipeline.turn(call);
  const { self } = await exchange.describe(path);
  // before looking at locks: those below a scope root may belong to other users
  await exchange.checkWritable(path);
  if (self.isDirectory && exchange.depth !== "infinity")
    throw invalidArgument("Depth", "must be infinity to delete a folder");
  const { space } = await checkPreconditions(exchange, [{ path, isMember: true, isDeep: true }]);
  await exchange.run(FILESYSTEM.removeNode, { uri: exchange.uri(), recursive: true });
  context.locks.removeTree(space, path);
  return { status: 204 };
}

/** Destination of COPY and MOVE, and the node to replace there. */
export interface Transfer {
  readonly to: Path;
  readonly isDirectory: boolean;
  /** Whether the request allows replacing. */
  readonly mayReplace: boolean;
  /** The node at the destination that is replaced. */
  readonly replaced: { readonly isDirectory: boolean } | undefined;
}

export async function transferOf(exchange: DavExchange): Promise<Transfer> {
  const { path, headers, authority, context, call } = exchange;
  const named = headers.get("destination");
  if (named === undefined) throw invalidArgument("Destination", "is required");
  const to = pathOf(pathOfUrl("Destination", named, authority), true);
  await context.pipeline.turn(call);
  const { self } = await exchange.describe(path);
  const [from, href] = [hrefOf(path, self.isDirectory), hrefOf(to, self.isDirectory)];
  if (from === href) throw permissionDenied(href, "the destination must not be the source");
  if (isInside(to, path)) throw conflict(href, "a folder cannot be put into itself");
  if (isInside(path, to)) throw conflict(href, "the destination holds the source");
  const replaced = await exchange.find(to);
  const mayReplace = headers.get("overwrite")?.trim().toUpperCase() !== "F";
  if (replaced && !mayReplace) throw conditionFails(href, "it exists, and Overwrite is F");
  if (!replaced) await exchange.checkParent(to);
  await exchange.checkWritable(to);
  return { to, isDirectory: self.isDirectory, mayReplace, replaced };
}

export async function move(exchange: DavExchange): Promise<DavAnswer> {
  const { path, context, call } = exchange;
  const { to, mayReplace, replaced, isDirectory } = await transferOf(exchange);
  await exchange.checkWritable(path);
  if (isDirectory && exchange.depth !== "infinity")
    throw invalidArgument("Depth", "must be infinity to move a folder");
  const { space } = await checkPreconditions(exchange, [
    { path, isMember: true, isDeep: true },
    { path: to, isMember: !replaced, isDeep: true },
  ]);
  if (!replaced) await exchange.free(to);
  const ends = { fromUri: exchange.uri(), toUri: exchange.uri(to) };
  // something may have been created there since it was found missing
  await moveNode(context.deps, call, { ...ends, replaces: mayReplace ? "any kind" : "nothing" });
  // a lock does not move with its resource (RFC 4918, section 7.5)
  context.locks.removeTree(space, path);
  if (isDirectory || replaced?.isDirectory) context.locks.removeTree(space, to);
  return { status: replaced ? 204 : 201 };
}
