import { z } from "zod";
import { type AddResourceResponse, ResourceService } from "../../../../gen/ctxdb/v1/resource_pb.ts";
import type { Task } from "../../../../gen/ctxdb/v1/task_pb.ts";
import { invalidArgument } from "../../../domain/errors.ts";
import { errorOf } from "../../../service/task-error.ts";
import { awaitTask, hasEnded } from "../await-task.ts";
import { dataTool, isRefusal } from "../tool.ts";
import { addedTags, uriArgument } from "./arguments.ts";

/**
 * Maximum wait in seconds; below the time limit of an operation, so that a longer import can return its task.
 */
const MOST_WAIT_SECONDS = 45;
const STANDARD_WAIT_SECONDS = 20;
/** Minimum wait in seconds from which an import is followed as a task, which reports progress. */
const FOLLOWED_FROM_SECONDS = 1;
const NOTES_SHOWN = 10;

export const addResource = dataTool({
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
    tags: addedTags.describe("Tags of what is added, for filters by tags."),
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
