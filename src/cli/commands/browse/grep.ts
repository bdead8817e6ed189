import { printable } from "../../../base/printable.ts";
import { uriOf, wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { cut } from "../../terminal/columns.ts";

interface Options {
  readonly ignoreCase?: boolean;
  readonly files?: number;
}

export const define: Define = (command, shell) => {
  command
    .description("Find lines that match a regular expression (RE2 syntax).")
    .argument("<pattern>", "regular expression, for example 'error|warning'")
    .argument(
      "[uri]",
      "file to search, or folder to search with everything below it",
      uriOf,
      "ctx://resources",
    )
    .option("-i, --ignore-case", "ignore case")
    .option("--files <count>", "maximum number of files to search", wholeNumber)
    .action(async (pattern: string, uri: string, { ignoreCase, files }: Options) => {
      const { search } = await shell.client();
      const request = { uri, pattern, caseInsensitive: ignoreCase, nodeLimit: files };
      const found = await search.grep(request, { signal: shell.signal });
      const { paint, width } = shell;
      await shell.show(found, () =>
        found.matches
          .map(({ uri: file, line, content }) => {
            const place = `${printable(file)}:${line}`;
            const text = printable(content.trim());
            return `${paint.name(place)}: ${width === undefined ? text : cut(text, Math.max(width - place.length - 2, width / 2))}\n`;
          })
          .join(""),
      );
      if (found.count === 0) shell.note("no matches");
      if (found.nextCursor) shell.note(`more files remain; use a larger --files or a smaller folder`);
    });
};
