import type { Define } from "../../define.ts";
import { hitsText } from "../../hits-text.ts";
import { type QueryOptions, questionOf, withQueryOptions } from "../../query-options.ts";

export const define: Define = (command, shell) => {
  withQueryOptions(command)
    .description(
      "Search resources, skills and your memories, by words and by meaning. Prints the best passages.",
    )
    .action(async (words: string[], options: QueryOptions) => {
      const { search } = await shell.client();
      const found = await search.find(questionOf(words, options), { signal: shell.signal });
      await shell.show(found, () => hitsText(found, shell, options));
      if (found.total === 0) shell.note("nothing found");
    });
};
