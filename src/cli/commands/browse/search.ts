import { printable } from "../../../base/printable.ts";
import type { Define } from "../../define.ts";
import { hitsText } from "../../hits-text.ts";
import { type QueryOptions, questionOf, withQueryOptions } from "../../query-options.ts";

export const define: Define = (command, shell) => {
  withQueryOptions(command)
    .description(
      "Search like `ctxdb find`, but first turn the question into several queries. With --session, the conversation completes the question.",
    )
    .option("-s, --session <id>", "id of the session whose conversation completes the question")
    .action(async (words: string[], options: QueryOptions & { readonly session?: string }) => {
      const { search } = await shell.client();
      const found = await search.search(
        { ...questionOf(words, options), sessionId: options.session },
        { signal: shell.signal },
      );
      await shell.show(found, () => {
        const asked = (found.queryPlan?.queries ?? []).map(
          ({ query, contextType }) => `searched ${contextType}: ${printable(query)}\n`,
        );
        return `${shell.paint.faint(asked.join(""))}${asked.length > 0 && found.total > 0 ? "\n" : ""}${hitsText(found, shell, options)}`;
      });
      if (found.total === 0) shell.note("nothing found");
    });
};
