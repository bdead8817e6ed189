import { z } from "zod";
import {
  FilesystemService,
  type RemovedNode,
  type RemoveNodeResponse,
} from "../../../../gen/ctxdb/v1/filesystem_pb.ts";
import { RelationService } from "../../../../gen/ctxdb/v1/relation_pb.ts";
import { invalidArgument } from "../../../domain/errors.ts";
import { MAX_URIS_REMOVED } from "../../../service/filesystem/remove-nodes.ts";
import { type Tool, tool } from "../tool.ts";
import { uriArgument } from "./arguments.ts";

const MOST_LINKS = 100;

const mkdir = tool({
  name: "mkdir",
  title: "Create a folder",
  description:
    "Creates a folder and its missing parents. The description becomes its abstract, which ls and find show.",
  effect: "adds",
  input: {
    uri: uriArgument("URI of the new folder"),
    description: z.string().optional().describe("What belongs there, in one sentence."),
  },
  run: async (asker, input) =>
    `Created ${(await asker.ask(FilesystemService.method.makeDirectory, input)).uri}.`,
});

const move = tool({
  name: "move",
  title: "Move or rename",
  description:
    "Moves or renames a file or folder, with its relations and versions. Replaces an existing file or folder of the same kind at the new URI.",
  effect: "changes",
  input: { from: uriArgument("URI of the file or folder"), to: uriArgument("New URI") },
  run: async (asker, input) => {
    const moved = await asker.ask(FilesystemService.method.moveNode, {
      fromUri: input.from,
      toUri: input.to,
    });
    return `Moved ${moved.from} to ${moved.to}.`;
  },
});

const copy = tool({
  name: "copy",
  title: "Copy",
  description:
    "Copies a file, or a folder with all that is in it, to a URI that is free. Large folders are copied by a task.",
  effect: "changes",
  input: { from: uriArgument("What to copy"), to: uriArgument("URI of the copy") },
  run: async (asker, input) => {
    const { from, to, copied, taskId } = await asker.ask(FilesystemService.method.copyNode, {
      fromUri: input.from,
      toUri: input.to,
    });
    return taskId === undefined
      ? `Copied ${from} to ${to}: ${copied} nodes.`
      : `Copying ${from} to ${to} as task ${taskId}; the copy is there when the task is completed.`;
  },
});

const remove = tool({
  name: "remove",
  title: "Delete",
  description:
    "Deletes a file or folder, or several with uris in one step: all of them, or none. It moves to the trash, from which the tool trash restores it; memories, and anything with permanent: true, are gone for good: ask the user first, unless they asked for it.",
  effect: "changes",
  input: {
    uri: uriArgument("URI of the file or folder").optional(),
    uris: z
      .array(uriArgument("URI of a file or folder"))
      .min(1)
      .max(MAX_URIS_REMOVED)
      .optional()
      .describe("URIs of several files and folders, instead of uri."),
    recursive: z
      .boolean()
      .default(false)
      .describe("Delete a folder with everything in it. Without it, only an empty folder is deleted."),
    permanent: z.boolean().default(false).describe("Delete for good instead of moving to the trash."),
  },
  run: async (asker, { uri, uris, ...options }) => {
    if ((uri === undefined) === (uris === undefined))
      throw invalidArgument("uri", "give exactly one of uri and uris");
    const { removeNode, removeNodes } = FilesystemService.method;
    const nodes =
      uri === undefined
        ? (await asker.ask(removeNodes, { uris, ...options })).nodes
        : [await asker.ask(removeNode, { uri, ...options })];
    return nodes.map(removedText).join("\n");
  },
});

function removedText({ uri, deleted, trashId }: RemovedNode | RemoveNodeResponse): string {
  const undo = trashId === undefined ? "" : ` Undo: trash with restore: "${trashId}".`;
  return `Deleted ${uri}: ${deleted} nodes.${undo}`;
}

const link = tool({
  name: "link",
  title: "Link files and folders",
  description:
    "Links a file or folder to others, with a reason; find and stat show the links. With unlink: true it removes the links from `from` to `to`.",
  effect: "changes",
  input: {
    from: uriArgument("URI at which the links start"),
    to: z
      .array(uriArgument("URI at which a link ends"))
      .min(1)
      .max(MOST_LINKS)
      .describe("URIs at which the links end."),
    reason: z.string().default("").describe("Why they belong together."),
    unlink: z.boolean().default(false).describe("Remove the links instead."),
  },
  run: async (asker, { from, to, reason, unlink }) => {
    if (unlink) {
      for (const toUri of to) await asker.ask(RelationService.method.unlinkNodes, { fromUri: from, toUri });
      return `Unlinked ${from} from ${to.join(", ")}.`;
    }
    const values = to.map((value) => ({ kind: { case: "stringValue" as const, value } }));
    const toUris = { kind: { case: "listValue" as const, value: { values } } };
    await asker.ask(RelationService.method.linkNodes, { fromUri: from, toUris, reason });
    return `Linked ${from} to ${to.join(", ")}.`;
  },
});

/** Tools that change files and folders, but not the content of files. */
export const treeTools: readonly Tool[] = [mkdir, move, copy, remove, link];
