import { FilesystemService } from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import type { Path } from "../../domain/uri.ts";
import { downloadContent } from "../../service/content/download-content.ts";
import { putFile } from "../../service/content/put-file.ts";
import type { NodeDescription } from "../../service/filesystem/describe-nodes.ts";
import { setProperties } from "../../service/filesystem/set-properties.ts";
import type { DavAnswer, DavExchange } from "./exchange.ts";
import { clear, transferOf } from "./folders.ts";
import { hrefOf } from "./paths.ts";
import { checkPreconditions } from "./preconditions.ts";

/** Limits of one copy, which is made file by file. */
const MAX_COPIED = { nodes: 1000, bytes: 64 * 1024 * 1024 } as const;

/** COPY: the node with its properties and, by default, with everything below it. */
export async function copy(exchange: DavExchange): Promise<DavAnswer> {
  const { path, context, headers } = exchange;
  const depth = headers.get("depth")?.trim().toLowerCase() ?? "infinity";
  if (depth !== "0" && depth !== "infinity") throw invalidArgument("Depth", "must be 0 or infinity");
  const transfer = await transferOf(exchange);
  const { to, replaced } = transfer;
  const space = await checkPreconditions(exchange, [{ path: to, isMember: !replaced, isDeep: true }]);
  const nodes = await nodesOf(exchange, path, depth === "infinity");
  await clear(exchange, transfer, true);
  for (const node of nodes) await copyOne(exchange, node, [...to, ...node.path.slice(path.length)]);
  if (replaced?.isDirectory) context.locks.removeTree(space, to);
  return { status: replaced ? 204 : 201 };
}

/** A node and what is below it, folders first. */
async function nodesOf(exchange: DavExchange, start: Path, isDeep: boolean): Promise<NodeDescription[]> {
  const nodes = [(await exchange.describe(start, { withProperties: true })).self];
  let bytes = 0;
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at];
    bytes += node?.size ?? 0;
    if (nodes.length > MAX_COPIED.nodes || bytes > MAX_COPIED.bytes) throw tooMuch(hrefOf(start, true));
    if (!isDeep || !node?.isDirectory) continue;
    let after: string | undefined;
    do {
      const page = await exchange.describe(node.path, { withChildren: true, withProperties: true, after });
      for (const child of page.children) nodes.push(child);
      after = page.next;
    } while (after !== undefined && nodes.length <= MAX_COPIED.nodes);
  }
  return nodes;
}

function tooMuch(resource: string): ServiceError {
  const { nodes, bytes } = MAX_COPIED;
  const reason = `a copy has at most ${nodes} files and folders of ${bytes} bytes; copy it in parts`;
  return new ServiceError("RESOURCE_EXHAUSTED", `${resource}: ${reason}`, { resource, reason });
}

async function copyOne(exchange: DavExchange, node: NodeDescription, to: Path): Promise<void> {
  const { context, call } = exchange;
  const uri = exchange.uri(to);
  call.throwIfAborted();
  if (node.isDirectory) await exchange.run(FilesystemService.method.makeDirectory, { uri });
  else {
    const { read } = await downloadContent(context.deps, call, { uri: exchange.uri(node.path) });
    const pieces: Uint8Array[] = [];
    for await (const piece of read()) pieces.push(piece);
    const content = Buffer.concat(pieces);
    await putFile(context.deps, call, { uri, content, mustBeNew: false, isIndexed: true });
  }
  const changes = [...node.properties];
  if (changes.length > 0) await setProperties(context.deps, call, { uri, changes });
}
