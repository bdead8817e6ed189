import { readFile } from "node:fs/promises";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import {
  type FileWrite,
  FileWriteSchema,
} from "../../../../clients/typescript/src/gen/ctxdb/v1/content_pb.ts";
import { uriOf } from "../../arguments.ts";
import { UsageError } from "../../cli-errors.ts";
import type { Define } from "../../define.ts";
import type { Shell } from "../../shell.ts";
import { bytesText, counted } from "../../terminal/amounts.ts";
import { readAll } from "../../terminal/read-all.ts";

/** Maximum size in bytes of a server's request body. */
const MAX_BYTES = 64 * 1024 * 1024;

export const define: Define = (command, shell) => {
  command
    .description(
      'Write several text files in one step: all of them, or none. Reads one JSON object a line, for example {"uri": "resources/a.md", "content": "# A", "mode": "create"}; mode is replace (default), append or create.',
    )
    .argument("[file]", "local file with one JSON object per line (default: standard input)")
    .option("--wait", "wait until layers and vectors are ready")
    .action(async (file: string | undefined, { wait }: { readonly wait?: boolean }) => {
      const files = filesIn(await textOf(shell, file));
      const written = await (await shell.client()).content.writeMany(
        { files, wait },
        { signal: shell.signal, deadlineSeconds: shell.patienceSeconds },
      );
      const bytes = written.files.reduce((sum, { writtenBytes }) => sum + writtenBytes, 0);
      await shell.show(
        written,
        () => `wrote ${counted(written.files.length, "file")} (${bytesText(bytes)})\n`,
      );
    });
};

function textOf({ io }: Shell, file: string | undefined): Promise<string> {
  if (file !== undefined && file !== "-") return readFile(file, "utf8");
  if (io.in.isTTY) io.err.write("enter one JSON object a line, then press Ctrl-D:\n");
  return readAll(io.in, MAX_BYTES);
}

function filesIn(text: string): FileWrite[] {
  const files = text.split("\n").flatMap((line, i) => (line.trim() === "" ? [] : [fileOf(line, i + 1)]));
  if (files.length === 0) throw new UsageError("there is nothing to write: give one JSON object a line");
  return files;
}

function fileOf(line: string, number: number): FileWrite {
  try {
    const file = fromJson(FileWriteSchema, JSON.parse(line) as JsonValue);
    return { ...file, uri: uriOf(file.uri) };
  } catch (error) {
    throw new UsageError(`line ${number}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
