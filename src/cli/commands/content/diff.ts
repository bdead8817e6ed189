import { uriOf, wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";

interface Options {
  readonly from?: number;
  readonly to?: number;
  readonly context?: number;
}

export const define: Define = (command, shell) => {
  command
    .description(
      "Print the difference between two versions of a text file. Default: the current version and the one before.",
    )
    .argument("<uri>", "URI of the file", uriOf)
    .option("--from <version>", "older version, from `ctxdb history`", wholeNumber)
    .option("--to <version>", "newer version (default: the current one)", wholeNumber)
    .option("--context <lines>", "unchanged lines around each change (default: 3)", wholeNumber)
    .action(async (uri: string, { from: fromVersion, to: toVersion, context }: Options) => {
      const { content } = await shell.client();
      const found = await content.diff({ uri, fromVersion, toVersion, context }, { signal: shell.signal });
      await shell.showText(found, found.diff);
      if (found.diff === "") shell.note(`versions ${found.fromVersion} and ${found.toVersion} are equal`);
    });
};
