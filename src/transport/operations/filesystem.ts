import type { Value } from "@bufbuild/protobuf/wkt";
import { FilesystemService } from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import { EventLoopYielder } from "../../base/event-loop.ts";
import type { Cursors } from "../../service/cursors.ts";
import { type CopyDeps, copyNode } from "../../service/filesystem/copy-node.ts";
import { type EntryPage, listEntries } from "../../service/filesystem/list-entries.ts";
import { listTree } from "../../service/filesystem/list-tree.ts";
import { makeDirectoryAt } from "../../service/filesystem/make-directory.ts";
import { moveNode } from "../../service/filesystem/move-node.ts";
import { removeNode } from "../../service/filesystem/remove-node.ts";
import { removeNodes } from "../../service/filesystem/remove-nodes.ts";
import { statNode } from "../../service/filesystem/stat-node.ts";
import { tagNode } from "../../service/filesystem/tag-node.ts";
import { type Operation, unary } from "../operation.ts";
import { WrittenLine } from "./written-line.ts";

const { method } = FilesystemService;

export const filesystemOperations = (deps: CopyDeps & { cursors: Cursors }): Operation[] => [
  unary(method.listEntries, async (call, request) => pageOf(await listEntries(deps, call, request))),
  unary(method.listTree, async (call, request) => pageOf(await listTree(deps, call, request))),
  unary(method.statNode, (call, request) => statNode(deps, call, request)),
  unary(method.makeDirectory, (call, request) => makeDirectoryAt(deps, call, request)),
  unary(method.moveNode, (call, request) => moveNode(deps, call, request)),
  unary(method.copyNode, (call, request) => copyNode(deps, call, request)),
  unary(method.tagNode, (call, request) => tagNode(deps, call, request)),
  unary(method.removeNode, (call, request) => removeNode(deps, call, request)),
  unary(method.removeNodes, (call, request) => removeNodes(deps, call, request)),
];

/** Lines written between two yields. */
const LINES_AT_ONCE = 50;

async function pageOf({ entries: lines, nextCursor }: EntryPage) {
  const entries: Value[] = [];
  const yielder = new EventLoopYielder();
  for (const line of lines) {
    entries.push(new WrittenLine(line));
    if (entries.length % LINES_AT_ONCE === 0) await yielder.yieldIfDue();
  }
  return { entries, ...(nextCursor !== undefined && { nextCursor }) };
}
