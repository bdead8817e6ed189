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
      "What two versions of a text file differ in: the present one and the one before, unless you name others.",
    )
    .argument("<uri>", "file", uriOf)
    .option("--from <version>", "the older side", wholeNumber)
    .option("--to <version>", "the newer side", wholeNumber)
    .option("--context <lines>", "unchanged lines around each change (3)", wholeNumber)
    .action(async (uri: string, { from: fromVersion, to: toVersion, context }: Options) => {
      const { content } = await shell.client();
      const found = await content.diff({ uri, fromVersion, toVersion, context }, { signal: shell.signal });
      await shell.showText(found, found.diff);
      if (found.diff === "")
        shell.note(`version ${found.fromVersion} and version ${found.toVersion} are the same`);
    });
};
