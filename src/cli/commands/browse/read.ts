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
    .description("Print a text file as it is, or save any file.")
    .argument("<uri>", "file", uriOf)
    .option("--offset <line>", "the first line, counted from 0", wholeNumber)
    .option("--lines <count>", "lines at most", wholeNumber)
    .option("--at <version>", "a version of `history` instead of the present one", wholeNumber)
    .option("-o, --output <file>", "save the bytes to a file")
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
