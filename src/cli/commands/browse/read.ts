import { uriOf, wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";

interface Options {
  readonly offset?: number;
  readonly lines?: number;
  readonly at?: number;
  readonly output?: string;
}

export const define: Define = (command, shell) => {
  command
    .description("Print a text file, or save any file with --output.")
    .argument("<uri>", "URI of the file", uriOf)
    .option("--offset <line>", "first line to print, counted from 0", wholeNumber)
    .option("--lines <count>", "maximum number of lines to print", wholeNumber)
    .option("--at <version>", "read this earlier version, a number from `ctxdb history`", wholeNumber)
    .option("-o, --output <file>", "save the file to this local path")
    .action(async (uri: string, { offset, lines, at: version, output }: Options) => {
      const { content } = await shell.client();
      const { signal } = shell;
      if (output !== undefined) {
        await content.downloadTo(output, { uri, version }, { signal });
        return shell.note(`saved to ${output}`);
      }
      const text = (await content.read({ uri, offset, limit: lines, version }, { signal })).content;
      await shell.showText(text, text);
    });
};
