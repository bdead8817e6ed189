import { stat } from "node:fs/promises";
import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { bytesText } from "../../terminal/amounts.ts";

interface Options {
  readonly output?: string;
  readonly vectors?: boolean;
}

export const define: Define = (command, shell) => {
  command
    .description("Save a file or folder with its layers as a pack: a zip file for `ctxdb import`.")
    .argument("<uri>", "URI of the file or folder", uriOf)
    .option("-o, --output <file>", "file to write (default: NAME.zip)")
    .option("--vectors", "include vectors, which makes the import faster")
    .action(async (uri: string, { output = `${nameOf(uri)}.zip`, vectors }: Options) => {
      const { packs } = await shell.client();
      const deadlineSeconds = shell.patienceSeconds;
      await packs.exportTo(
        output,
        { uri, includeVectors: vectors },
        { signal: shell.signal, deadlineSeconds },
      );
      const { size } = await stat(output);
      await shell.show({ uri, file: output, size }, () => `saved ${uri} as ${output} (${bytesText(size)})\n`);
    });
};

const nameOf = (uri: string): string => uri.split("/").filter(Boolean).at(-1) ?? "pack";
