import { printable } from "../../../base/printable.ts";
import { uriOf, wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description("URIs whose path matches: * ? [abc] {a,b} within a name, ** across folders.")
    .argument("<pattern>", "pattern, such as '**/*.md'")
    .argument("[uri]", "folder at which the pattern begins", uriOf, "ctx://")
    .option("-n, --limit <count>", "matches at most", wholeNumber)
    .action(async (pattern: string, uri: string, { limit }: { readonly limit?: number }) => {
      const { search } = await shell.client();
      const found = await search.glob({ pattern, uri, nodeLimit: limit }, { signal: shell.signal });
      await shell.show(found, () => found.matches.map((match) => `${printable(match)}\n`).join(""));
      if (found.count === 0)
        shell.note(
          `no path matches${pattern.includes("/") ? "" : `; '**/${printable(pattern)}' looks in all folders below`}`,
        );
      if (found.nextCursor) shell.note(`the first ${found.count} matches: --limit shows more`);
    });
};
