import { z } from "zod";
import { ContentService } from "../../../../gen/ctxdb/v1/content_pb.ts";
import {
  FilesystemService,
  type RemovedNode,
  type RemoveNodeResponse,
} from "../../../../gen/ctxdb/v1/filesystem_pb.ts";
import { RelationService } from "../../../../gen/ctxdb/v1/relation_pb.ts";
import { type AddResourceResponse, ResourceService } from "../../../../gen/ctxdb/v1/resource_pb.ts";
import type { Task } from "../../../../gen/ctxdb/v1/task_pb.ts";
import { invalidArgument } from "../../../domain/errors.ts";
import { MAX_TAGS } from "../../../domain/tags.ts";
import { MAX_FILES_WRITTEN } from "../../../service/content/write-files.ts";
import { MAX_URIS_REMOVED } from "../../../service/filesystem/remove-nodes.ts";
import { errorOf } from "../../../service/task-error.ts";
import { awaitTask, hasEnded } from "../await-task.ts";
import { dataTool, isRefusal, type Tool, tool } from "../tool.ts";
import { uriArgument } from "./arguments.ts";

/**
 * Maximum wait in seconds; below the time limit of an operation, so that a longer import can return its task.
 */
const MOST_WAIT_SECONDS = 45;
const STANDARD_WAIT_SECONDS = 20;
/** Minimum wait in seconds from which an import is followed as a task, which reports progress. */
const FOLLOWED_FROM_SECONDS = 1;
const NOTES_SHOWN = 10;
const MOST_LINKS = 100;

const tagsArgument = z.array(z.string()).max(MAX_TAGS).optional();

const addResource = dataTool({
  name: "add_resource",
  title: "Add documents",
  description:
    "Imports a file, folder, web page or git repository, or a text given here, below ctx://resources, so that find and recall can return it. " +
    "Adding the same source again updates it in place.",
  effect: "changes",
  input: {
    path: z
      .string()
      .min(1)
      .optional()
      .describe("Source: absolute path on the server, http(s) URL, or URL of a git repository."),
    content: z.string().optional().describe("Text to add, instead of path."),
    name: z
      .string()
      .min(1)
      .optional()
      .describe("Required with content: name of the document, for example notes.md."),
    to: uriArgument("Exact URI of the resource").optional(),
    parent: uriArgument("Instead of to: folder in which it keeps its name").optional(),
    include: z
      .string()
      .optional()
      .describe(
        "Globs of files to import from a folder or repository, separated by commas, for example *.md (at any depth),docs/**. Default: all.",
      ),
    exclude: z.string().optional().describe("Globs of files to leave out, separated by commas."),
    tags: tagsArgument.describe("Tags of what is added, for filters by tags."),
    reason: z.string().optional().describe("Why it is added; stored with it."),
    wait_seconds: z
      .number()
      .min(0)
      .max(MOST_WAIT_SECONDS)
      .default(STANDARD_WAIT_SECONDS)
      .describe("Maximum seconds to wait until it is summarised and indexed."),
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
      throw invalidArgument("path", "give exactly one of path and content");
    if (content !== undefined && name === undefined)
      throw invalidArgument("name", "is required if content is given");
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
          timeout: Math.min(wait_seconds, FOLLOWED_FROM_SECONDS),
        }),
      );
    } catch (error) {
      if (!isRefusal(error, "DEADLINE_EXCEEDED")) throw error;
      const { root_uri, task_id } = error.details ?? {};
      const task = await awaitTask(asker, String(task_id), wait_seconds - FOLLOWED_FROM_SECONDS);
      if (hasEnded(task)) return outcomeOf(String(root_uri), task);
      return {
        text: `Adding ${root_uri} continues as task ${task_id}: call tasks with this task_id and wait_seconds.`,
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

/** Response for an import that ended as a task. */
function outcomeOf(rootUri: string, { result = {}, error }: Task) {
  const { errors, warnings } = result;
  // an import that failed before its source was read added nothing
  if (error && !Array.isArray(errors)) throw errorOf(error);
  return added({
    rootUri,
    status: error ? "error" : "success",
    errors: [...textsOf(errors), ...(error ? [error.message] : [])],
    warnings: textsOf(warnings),
  });
}

const textsOf = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);

type Added = Pick<AddResourceResponse, "rootUri" | "status" | "errors" | "warnings">;

function added({ rootUri, status, errors, warnings }: Added) {
  const notes = [...errors.map((text) => `error: ${text}`), ...warnings.map((text) => `warning: ${text}`)];
  const more = notes.length > NOTES_SHOWN ? [`[${notes.length - NOTES_SHOWN} more]`] : [];
  const text = [
    `Added ${rootUri}${status === "success" ? "" : ", in part"}.`,
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

/** Maximum number of links in an answer about several files. */
const MAX_LINKS = 20;

const write = dataTool({
  name: "write",
  title: "Write a text file, or tag",
  description:
    "Writes a text file below ctx://resources or in the user's or agent's own space, and creates missing folders; find and recall return it like what is imported. " +
    "With tags or untag and without content it tags a file or folder; a tag of a folder holds for all that is in it. To import existing documents, use add_resource.",
  effect: "changes",
  input: {
    uri: uriArgument("The file").describe("URI of the file, for example ctx://resources/notes/today.md."),
    content: z.string().optional().describe("Text to write."),
    tags: tagsArgument.describe('Tags to add, for example ["reviewed"].'),
    untag: tagsArgument.describe("Tags to remove."),
    mode: z
      .enum(["create", "replace", "append"])
      .default("create")
      .describe(
        "With content. create: fails if the file exists. replace: overwrites an existing file. append: adds at its end, without a line break of its own.",
      ),
  },
  output: {
    uri: z.string(),
    mode: z.string().describe("As asked, or tag without content."),
    written_bytes: z.number(),
    tags: z.array(z.string()).optional().describe("Of the file or folder, if tags were asked for."),
  },
  run: async (asker, { content, tags, untag, ...input }) => {
    const isTagged = tags !== undefined || untag !== undefined;
    if (content === undefined && !isTagged)
      throw invalidArgument("content", "is required if neither tags nor untag is given");
    const written =
      content === undefined
        ? { uri: input.uri, mode: "tag", writtenBytes: 0 }
        : await asker.ask(ContentService.method.writeContent, { ...input, content });
    const { uri, mode, writtenBytes } = written;
    const tagged = isTagged
      ? await asker.ask(FilesystemService.method.tagNode, { uri, add: tags, remove: untag })
      : undefined;
    const text = [
      ...(content === undefined ? [] : [`Wrote ${uri} (${mode}, ${writtenBytes} bytes).`]),
      ...(tagged ? [`Tags of ${uri}: ${tagged.tags.join(", ") || "none"}.`] : []),
    ].join("\n");
    return {
      text,
      data: { uri, mode, written_bytes: writtenBytes, ...(tagged && { tags: tagged.tags }) },
      links: [{ uri, description: "" }],
    };
  },
});

const writeFiles = dataTool({
  name: "write_files",
  title: "Write several text files",
  description:
    "Writes several text files in one step, as write does: all of them, or none if one is refused. Use it for changes that belong together; for a single file use write.",
  effect: "changes",
  input: {
    files: z
      .array(
        z.strictObject({
          uri: uriArgument("The file").describe("URI of the file."),
          content: z.string().describe("Text to write."),
          mode: z.enum(["create", "replace", "append"]).default("create").describe("As for write."),
        }),
      )
      .min(1)
      .max(MAX_FILES_WRITTEN)
      .describe("The files, each URI once."),
  },
  output: {
    files: z.array(z.object({ uri: z.string(), mode: z.string(), written_bytes: z.number() })),
  },
  run: async (asker, input) => {
    const { files } = await asker.ask(ContentService.method.writeFiles, input);
    const lines = files.map(({ uri, mode, writtenBytes }) => `${uri} (${mode}, ${writtenBytes} bytes)`);
    return {
      text: [`Wrote ${files.length} files:`, ...lines].join("\n"),
      data: {
        files: files.map(({ uri, mode, writtenBytes }) => ({ uri, mode, written_bytes: writtenBytes })),
      },
      links: files.slice(0, MAX_LINKS).map(({ uri }) => ({ uri, description: "" })),
    };
  },
});

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

export const addingTools: readonly Tool[] = [addResource, write, writeFiles, mkdir, move, copy, remove, link];
