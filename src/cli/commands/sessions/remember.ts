import type { Define } from "../../define.ts";
import { readAll } from "../../terminal/read-all.ts";

const MAX_STATEMENT_BYTES = 64 * 1024;

interface RememberOptions {
  readonly category?: string;
  readonly subject?: string;
}

export const define: Define = (command, shell) => {
  command
    .description("Keep a statement word for word.")
    .argument("[statement...]", "the statement; without it, standard input")
    .option("-c, --category <name>", "profile, preferences, entities or patterns (by what it says)")
    .option("-s, --subject <name>", "what or whom it is about (by its words)")
    .action(async (words: string[], { category, subject }: RememberOptions) => {
      const statement =
        words.length > 0 ? words.join(" ") : (await readAll(shell.io.in, MAX_STATEMENT_BYTES)).trim();
      const { memories } = await shell.client();
      const made = await memories.create({ statement, category, subject }, { signal: shell.signal });
      await shell.show(
        made,
        () => `${made.created ? "remembered" : "known already"}: ${made.memory?.memoryId ?? ""}\n`,
      );
    });
};
