import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { WriteContentResponse } from "../../../../clients/typescript/src/gen/ctxdb/v1/content_pb.ts";
import { uriOf } from "../../arguments.ts";
import { UsageError } from "../../cli-errors.ts";
import type { Define } from "../../define.ts";
import type { Shell } from "../../shell.ts";
import { bytesText } from "../../terminal/amounts.ts";
import { readAll } from "../../terminal/read-all.ts";

interface Options {
  readonly file?: string;
  readonly append?: boolean;
  readonly create?: boolean;
  readonly replace?: boolean;
  readonly ifMatch?: string;
  readonly wait?: boolean;
}

/** Maximum size in bytes of a server's request body. */
const MAX_BYTES = 64 * 1024 * 1024;

export const define: Define = (command: Command, shell) => {
  command
    .description(
      "Write a text file, from the argument, a local file or standard input. Creates the file or replaces its content, unless an option says otherwise.",
    )
    .argument("<uri>", "URI of the file", uriOf)
    .argument("[text]", "text to write (default: standard input)")
    .option("-f, --file <path>", "read the text from a local file")
    .option("--append", "add at the end of an existing file")
    .option("--create", "create the file; fail if it exists")
    .option("--replace", "replace the file; fail if it does not exist")
    .option("--if-match <etag>", "write only if the current content has this ETag")
    .option("--wait", "wait until layers and vectors are ready")
    .action(async (uri: string, text: string | undefined, options: Options) => {
      const content = await textOf(shell, text, options);
      const written = await write(shell, uri, content, options);
      await shell.show(written, () => `wrote ${written.uri} (${bytesText(written.writtenBytes)})\n`);
    });
};

async function textOf({ io }: Shell, text: string | undefined, { file }: Options): Promise<string> {
  if (text !== undefined && file !== undefined)
    throw new UsageError("text and --file cannot be combined: give one of them");
  if (file !== undefined) return readFile(file, "utf8");
  if (text !== undefined && text !== "-") return text;
  if (io.in.isTTY) io.err.write("enter the text, then press Ctrl-D:\n");
  return readAll(io.in, MAX_BYTES);
}

async function write(
  shell: Shell,
  uri: string,
  content: string,
  { append, create, replace, ifMatch, wait }: Options,
): Promise<WriteContentResponse> {
  const modes = [append && "append", create && "create", replace && "replace"].filter(
    (mode) => typeof mode === "string",
  );
  if (modes.length > 1)
    throw new UsageError("--append, --create and --replace cannot be combined: give one of them");
  const client = await shell.client();
  const inMode = (mode: string) =>
    client.content.write(
      { uri, content, mode, ifMatch, wait },
      { signal: shell.signal, deadlineSeconds: shell.patienceSeconds },
    );
  const [mode] = modes;
  if (mode !== undefined) return inMode(mode);
  if (ifMatch !== undefined) return inMode("replace");
  return inMode("create").catch((error: { readonly code?: string }) => {
    if (error.code === "ALREADY_EXISTS") return inMode("replace");
    throw error;
  });
}
