import type { Define } from "../../define.ts";
import { hitsText } from "../../hits-text.ts";
import { type QuestionOptions, questionOf, withQuestionOptions } from "../../question-options.ts";

export const define: Define = (command, shell) => {
  withQuestionOptions(command)
    .description(
      "Search resources, skills and your memories, by words and by meaning. Prints the best passages.",
    )
    .action(async (words: string[], options: QuestionOptions) => {
      const { search } = await shell.client();
      const found = await search.find(questionOf(words, options), { signal: shell.signal });
      await shell.show(found, () => hitsText(found, shell, options));
      if (found.total === 0) shell.note("nothing found");
    });
};
