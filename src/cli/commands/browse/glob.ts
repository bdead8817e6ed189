import { printable } from "../../../base/printable.ts";
import { uriOf, wholeNumber, withTags } from "../../arguments.ts";
import type { Define } from "../../define.ts";

interface Options {
  readonly sections?: boolean;
  readonly limit?: number;
  readonly tag?: string[];
}

export const define: Define = (command, shell) => {
  withTags(command)
    .description(
      "Find files and folders by their path. * and ? match within a name, ** across folders. [abc] and {a,b} match alternatives.",
    )
    .argument("<pattern>", "pattern, for example '**/*.md'")
    .argument("[uri]", "folder in which to search", uriOf, "ctx://")
    .option("--sections", "include the sections of long documents")
    .option("-n, --limit <count>", "maximum number of matches", wholeNumber)
    .action(async (pattern: string, uri: string, { sections, limit, tag: tags }: Options) => {
      const { search } = await shell.client();
      const request = { pattern, uri, hideSections: !sections, nodeLimit: limit, tags };
      const found = await search.glob(request, { signal: shell.signal });
      await shell.show(found, () => found.matches.map((match) => `${printable(match)}\n`).join(""));
      if (found.count === 0)
        shell.note(
          `no matches${pattern.includes("/") ? "" : `; use '**/${printable(pattern)}' to search all folders below`}`,
        );
      if (found.nextCursor) shell.note(`these are the first ${found.count} matches; use --limit to see more`);
    });
};
