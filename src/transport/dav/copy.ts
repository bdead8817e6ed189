import { isMessage } from "@bufbuild/protobuf";
import { CopyNodeResponseSchema, FilesystemService } from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { setProperties } from "../../service/filesystem/set-properties.ts";
import type { DavAnswer, DavExchange } from "./exchange.ts";
import { clear, type Transfer, transferOf } from "./mkcol-delete-move.ts";
import { checkPreconditions } from "./preconditions.ts";

const { method: FILESYSTEM } = FilesystemService;

/**
 * COPY: copies a node with its properties and, by default, everything below it. Status 202 if a task copies a
 * large folder, which appears once complete.
 */
export async function copy(exchange: DavExchange): Promise<DavAnswer> {
  const { context, depth } = exchange;
  if (depth !== "0" && depth !== "infinity") throw invalidArgument("Depth", "must be 0 or infinity");
  const transfer = await transferOf(exchange);
  const { to, replaced } = transfer;
  const space = await checkPreconditions(exchange, [{ path: to, isMember: !replaced, isDeep: true }]);
  await clear(exchange, transfer, true);
  const isLater = await make(exchange, transfer, depth === "infinity");
  if (replaced?.isDirectory) context.locks.removeTree(space, to);
  if (isLater) return { status: 202 };
  return { status: replaced ? 204 : 201 };
}

/** Starts the copy; returns whether a task completes it. */
async function make(exchange: DavExchange, { to, isDirectory }: Transfer, isDeep: boolean): Promise<boolean> {
  const { context, call, path } = exchange;
  if (isDeep || !isDirectory) {
    const input = { fromUri: exchange.uri(), toUri: exchange.uri(to) };
    const answer = await exchange.run(FILESYSTEM.copyNode, input);
    return isMessage(answer, CopyNodeResponseSchema) && answer.taskId !== undefined;
  }
  const { self } = await exchange.describe(path, { withProperties: true });
  await exchange.run(FILESYSTEM.makeDirectory, { uri: exchange.uri(to) });
  if (self.properties.length > 0)
    await setProperties(context.deps, call, { uri: exchange.uri(to), changes: self.properties });
  return false;
}
