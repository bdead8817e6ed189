import { printable } from "../../../base/printable.ts";
import { wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";

interface RecallOptions {
  readonly session?: string;
  readonly project?: string;
  readonly tokens?: number;
  readonly memories?: boolean;
}

export const define: Define = (command, shell) => {
  command
    .description(
      "What a model should know before it answers, as a text to paste: profile, memories, resources and skills.",
    )
    .argument("[question...]", "words or a question; without them, the last message of the session")
    .option("-s, --session <id>", "the session: what it was told is left out, and the text goes on")
    .option("-p, --project <uri>", "resources of this folder alone")
    .option("-t, --tokens <count>", "estimated tokens at most (2000)", wholeNumber)
    .option("-m, --memories", "no resources and skills")
    .action(async (words: string[], { session, project, tokens, memories }: RecallOptions) => {
      const { search } = await shell.client();
      const found = await search.recall(
        {
          query: words.length > 0 ? words.join(" ") : undefined,
          sessionId: session,
          project,
          tokenBudget: tokens,
          ...(memories && { maxResources: 0, maxSkills: 0 }),
        },
        { signal: shell.signal },
      );
      await shell.show(found, () => found.text.split("\n").map(printable).join("\n"));
      if (found.text === "") shell.note("nothing is known about this");
    });
};
