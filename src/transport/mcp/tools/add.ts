import { z } from "zod";
import { ContentService } from "../../../../gen/ctxdb/v1/content_pb.ts";
import { FilesystemService } from "../../../../gen/ctxdb/v1/filesystem_pb.ts";
import { RelationService } from "../../../../gen/ctxdb/v1/relation_pb.ts";
import { type AddResourceResponse, ResourceService } from "../../../../gen/ctxdb/v1/resource_pb.ts";
import { invalidArgument } from "../../../domain/errors.ts";
import { dataTool, isRefusal, type Tool, tool } from "../tool.ts";
import { uriArgument } from "./arguments.ts";

/** Below the time limit of an operation, so that a longer import can return its task. */
const MOST_WAIT_SECONDS = 45;
const STANDARD_WAIT_SECONDS = 20;
const NOTES_SHOWN = 10;
const MOST_LINKS = 100;

const addResource = dataTool({
  name: "add_resource",
  title: "Add documents",
  description:
    "Adds a file, a folder, a web page or a repository, or a text given here, below ctx://resources, so that it can be found by meaning and read in layers. " +
    "The same source again updates it in place.",
  effect: "changes",
  input: {
    path: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Absolute path of a file or folder on the machine of the server, an http(s) URL, or the URL of a git repository.",
      ),
    content: z.string().optional().describe("A text to add, instead of path."),
    name: z
      .string()
      .min(1)
      .optional()
      .describe("With content: the name of the document, for example notes.md."),
    to: uriArgument("The URI to add it as").optional(),
    parent: uriArgument("Instead of to: the folder that receives it").optional(),
    include: z.string().optional().describe("Of a folder: globs of the files to take, by comma."),
    exclude: z.string().optional().describe("Of a folder: globs of the files to leave out, by comma."),
    reason: z.string().optional().describe("Why it is added; kept with it."),
    wait_seconds: z
      .number()
      .min(0)
      .max(MOST_WAIT_SECONDS)
      .default(STANDARD_WAIT_SECONDS)
      .describe("How long to wait until it is summarised and indexed whole."),
  },
  output: {
    uri: z.string(),
    status: z.string().describe("success, partial, or running: then the work goes on as the task."),
    task_id: z.string().optional(),
    errors: z.array(z.string()).describe("The first ones."),
    warnings: z.array(z.string()).describe("The first ones."),
  },
  run: async (asker, { path, content, name, wait_seconds, ...rest }) => {
    if ((path === undefined) === (content === undefined))
      throw invalidArgument("path", "give path or content, one of them");
    if (content !== undefined && name === undefined)
      throw invalidArgument("name", "is required with content");
    const source =
      content === undefined
        ? { path }
        : { tempPath: (await asker.upload(name ?? "", content)).tempPath, sourceName: name };
    try {
      return added(
        await asker.ask(ResourceService.method.addResource, {
          ...source,
          ...rest,
          wait: true,
          timeout: wait_seconds,
        }),
      );
    } catch (error) {
      if (!isRefusal(error, "DEADLINE_EXCEEDED")) throw error;
      const { root_uri, task_id } = error.details ?? {};
      return {
        text: `Being added as ${root_uri}. The work goes on as task ${task_id}: call tasks with this task_id and wait_seconds.`,
        data: {
          uri: String(root_uri),
          status: "running",
          task_id: String(task_id),
          errors: [],
          warnings: [],
        },
      };
    }
  },
});

function added({ rootUri, status, errors, warnings }: AddResourceResponse) {
  const notes = [...errors.map((text) => `error: ${text}`), ...warnings.map((text) => `warning: ${text}`)];
  const more = notes.length > NOTES_SHOWN ? [`[${notes.length - NOTES_SHOWN} more]`] : [];
  const text = [
    `Added ${rootUri}${status === "success" ? "" : " in part"}.`,
    ...notes.slice(0, NOTES_SHOWN),
    ...more,
  ].join("\n");
  const data = {
    uri: rootUri,
    status,
    errors: errors.slice(0, NOTES_SHOWN),
    warnings: warnings.slice(0, NOTES_SHOWN),
  };
  return { text, data, links: [{ uri: rootUri, description: "" }] };
}

const write = dataTool({
  name: "write",
  title: "Write a text file",
  description:
    "Writes a text file at a URI below ctx://resources or in your own memories; folders on the way are made. add_resource is for documents from elsewhere.",
  effect: "changes",
  input: {
    uri: uriArgument("The file").describe("The file, for example ctx://resources/notes/today.md."),
    content: z.string().describe("The text."),
    mode: z
      .enum(["create", "replace", "append"])
      .default("create")
      .describe("create refuses what exists; replace and append need it to exist."),
  },
  output: { uri: z.string(), mode: z.string(), written_bytes: z.number() },
  run: async (asker, input) => {
    const { uri, mode, writtenBytes } = await asker.ask(ContentService.method.writeContent, input);
    return {
      text: `Written: ${uri} (${mode}, ${writtenBytes} bytes).`,
      data: { uri, mode, written_bytes: writtenBytes },
      links: [{ uri, description: "" }],
    };
  },
});

const mkdir = tool({
  name: "mkdir",
  title: "Make a folder",
  description:
    "Makes a folder and its missing parents. A description says what belongs there and is what others see of it.",
  effect: "adds",
  input: {
    uri: uriArgument("The folder"),
    description: z.string().optional().describe("What belongs there, in a sentence."),
  },
  run: async (asker, input) =>
    `Made ${(await asker.ask(FilesystemService.method.makeDirectory, input)).uri}.`,
});

const move = tool({
  name: "move",
  title: "Move or rename",
  description:
    "Moves a file or folder to a new URI in one step, with its relations. Something of the same kind that is there is replaced.",
  effect: "changes",
  input: { from: uriArgument("What to move"), to: uriArgument("Its new URI") },
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
    "Deletes a file, or a folder with recursive, for ever. Ask the user first where they did not ask for it.",
  effect: "changes",
  input: {
    uri: uriArgument("What to delete"),
    recursive: z.boolean().default(false).describe("A folder with all that is in it."),
  },
  run: async (asker, input) => {
    const { uri, deleted } = await asker.ask(FilesystemService.method.removeNode, input);
    return `Deleted ${uri}: ${deleted} nodes.`;
  },
});

const link = tool({
  name: "link",
  title: "Link nodes",
  description:
    "Links a node to others, with the reason; find and stat show the links. With unlink the links are taken away.",
  effect: "changes",
  input: {
    from: uriArgument("Where the link starts"),
    to: z.array(uriArgument("Where it ends")).min(1).max(MOST_LINKS).describe("Where the links end."),
    reason: z.string().default("").describe("Why they belong together."),
    unlink: z.boolean().default(false).describe("Take the links away."),
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

export const addingTools: readonly Tool[] = [addResource, write, mkdir, move, copy, remove, link];
