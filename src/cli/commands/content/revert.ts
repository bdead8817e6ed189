import { uriOf, wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { bytesText } from "../../terminal/amounts.ts";

interface Options {
  readonly ifMatch?: string;
  readonly wait?: boolean;
}

export const define: Define = (command, shell) => {
  command
    .description("Give a file the content of an earlier version, as a new version.")
    .argument("<uri>", "file", uriOf)
    .argument("<version>", "a version of `history`", wholeNumber)
    .option("--if-match <etag>", "only where the content still has this hash")
    .option("--wait", "until it has abstract, overview and vectors")
    .action(async (uri: string, version: number, { ifMatch, wait }: Options) => {
      const { content } = await shell.client();
      const restored = await content.restore(
        { uri, version, ifMatch, wait },
        { signal: shell.signal, deadlineSeconds: shell.patienceSeconds },
      );
      await shell.show(
        restored,
        () =>
          `${restored.uri} has the content of version ${restored.restored} again (${bytesText(restored.size)}), as version ${restored.version}\n`,
      );
    });
};
