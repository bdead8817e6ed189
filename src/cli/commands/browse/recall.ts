import { printable } from "../../../base/printable.ts";
import { wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { type ConditionOptions, conditionsOf, withConditionOptions } from "../../time-and-origin-options.ts";

interface RecallOptions extends ConditionOptions {
  readonly session?: string;
  readonly project?: string;
  readonly tokens?: number;
  readonly memories?: boolean;
}

export const define: Define = (command, shell) => {
  withConditionOptions(command)
    .description(
      "Print recalled context to paste into a model's prompt: your profile, then memories, resources and skills that fit the question.",
    )
    .argument("[question...]", "words or a question (default: last message of the session)")
    .option("-s, --session <id>", "recall for this session; leave out what it already contains")
    .option("-p, --project <uri>", "recall resources only from this folder")
    .option("-t, --tokens <count>", "maximum size in estimated tokens (default: 2000)", wholeNumber)
    .option("-m, --memories", "recall only memories")
    .action(async (words: string[], options: RecallOptions) => {
      const { session, project, tokens, memories } = options;
      const { search } = await shell.client();
      const found = await search.recall(
        {
          query: words.length > 0 ? words.join(" ") : undefined,
          sessionId: session,
          project,
          tokenBudget: tokens,
          ...(memories && { maxResources: 0, maxSkills: 0 }),
          ...conditionsOf(options),
        },
        { signal: shell.signal },
      );
      await shell.show(found, () => found.text.split("\n").map(printable).join("\n"));
      if (found.text === "") shell.note("nothing found");
    });
};
