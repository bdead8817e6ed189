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

/** Largest request body of a server. */
const MAX_BYTES = 64 * 1024 * 1024;

export const define: Define = (command: Command, shell) => {
  command
    .description(
      "Write a text file: the text given, that of a file, or standard input. A file that is there is replaced, unless you say otherwise.",
    )
    .argument("<uri>", "file", uriOf)
    .argument("[text]", "the text; without it, standard input")
    .option("-f, --file <path>", "take the text from a file")
    .option("--append", "at the end of a file that is there")
    .option("--create", "only where there is none")
    .option("--replace", "only where there is one")
    .option("--if-match <etag>", "only where the content still has this hash")
    .option("--wait", "until it has abstract, overview and vectors")
    .action(async (uri: string, text: string | undefined, options: Options) => {
      const content = await textOf(shell, text, options);
      const written = await write(shell, uri, content, options);
      await shell.show(written, () => `wrote ${written.uri} (${bytesText(written.writtenBytes)})\n`);
    });
};

async function textOf({ io }: Shell, text: string | undefined, { file }: Options): Promise<string> {
  if (text !== undefined && file !== undefined) throw new UsageError("give a text or --file, not both");
  if (file !== undefined) return readFile(file, "utf8");
  if (text !== undefined && text !== "-") return text;
  if (io.in.isTTY) io.err.write("the text, ended by Ctrl-D:\n");
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
  if (modes.length > 1) throw new UsageError("one of --append, --create and --replace");
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
