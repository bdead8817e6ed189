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
    .description("Save a file or folder with its layers as one pack, a zip that `ctxdb import` unpacks.")
    .argument("<uri>", "file or folder", uriOf)
    .option("-o, --output <file>", "where to (the name of the node with .zip)")
    .option("--vectors", "with vectors, so that nothing has to be embedded again")
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
