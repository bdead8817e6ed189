import { printable } from "../../../base/printable.ts";
import type { Define } from "../../define.ts";
import { hitsText } from "../../hits-text.ts";
import { type QuestionOptions, questionOf, withQuestionOptions } from "../../question-options.ts";

export const define: Define = (command, shell) => {
  withQuestionOptions(command)
    .description(
      "Search with the intent of the question and, where a session is named, with its history: several queries may be asked.",
    )
    .option("-s, --session <id>", "the session whose history gives context")
    .action(async (words: string[], options: QuestionOptions & { readonly session?: string }) => {
      const { search } = await shell.client();
      const found = await search.search(
        { ...questionOf(words, options), sessionId: options.session },
        { signal: shell.signal },
      );
      await shell.show(found, () => {
        const asked = (found.queryPlan?.queries ?? []).map(
          ({ query, contextType }) => `asked ${contextType}: ${printable(query)}\n`,
        );
        return `${shell.paint.faint(asked.join(""))}${asked.length > 0 && found.total > 0 ? "\n" : ""}${hitsText(found, shell, options)}`;
      });
      if (found.total === 0) shell.note("nothing found");
    });
};
