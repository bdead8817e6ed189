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
      "Print the differences between two versions of a text file. Default: the current version and the one before.",
    )
    .argument("<uri>", "URI of the file", uriOf)
    .option(
      "--from <version>",
      "older version, a number from `ctxdb history` (default: the one before --to)",
      wholeNumber,
    )
    .option("--to <version>", "newer version (default: the current one)", wholeNumber)
    .option("--context <lines>", "number of unchanged lines around each change (default: 3)", wholeNumber)
    .action(async (uri: string, { from: fromVersion, to: toVersion, context }: Options) => {
      const { content } = await shell.client();
      const found = await content.diff({ uri, fromVersion, toVersion, context }, { signal: shell.signal });
      await shell.showText(found, found.diff);
      if (found.diff === "") shell.note(`versions ${found.fromVersion} and ${found.toVersion} are equal`);
    });
};
