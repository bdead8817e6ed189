import { uriOf, wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { bytesText } from "../../terminal/amounts.ts";

interface Options {
  readonly ifMatch?: string;
  readonly wait?: boolean;
}

export const define: Define = (command, shell) => {
  command
    .description("Restore the content of an earlier version of a file, as a new version.")
    .argument("<uri>", "URI of the file", uriOf)
    .argument("<version>", "number of the version, from `ctxdb history`", wholeNumber)
    .option("--if-match <etag>", "write only if the current content has this ETag")
    .option("--wait", "wait until layers and vectors are ready")
    .action(async (uri: string, version: number, { ifMatch, wait }: Options) => {
      const { content } = await shell.client();
      const restored = await content.restore(
        { uri, version, ifMatch, wait },
        { signal: shell.signal, deadlineSeconds: shell.patienceSeconds },
      );
      await shell.show(
        restored,
        () =>
          `${restored.uri} is now version ${restored.version}, with the content of version ${restored.restored} (${bytesText(restored.size)})\n`,
      );
    });
};
