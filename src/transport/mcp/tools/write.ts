import { z } from "zod";
import { ContentService } from "../../../../gen/ctxdb/v1/content_pb.ts";
import { FilesystemService } from "../../../../gen/ctxdb/v1/filesystem_pb.ts";
import { invalidArgument } from "../../../domain/errors.ts";
import { MAX_FILES_WRITTEN } from "../../../service/content/write-files.ts";
import { dataTool, type Tool } from "../tool.ts";
import { addedTags, uriArgument } from "./arguments.ts";

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
    tags: addedTags.describe('Tags to add, for example ["reviewed"].'),
    untag: addedTags.describe("Tags to remove."),
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

export const writingTools: readonly Tool[] = [write, writeFiles];
