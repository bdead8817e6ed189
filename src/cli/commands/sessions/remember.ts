import type { Define } from "../../define.ts";
import { readAll } from "../../terminal/read-all.ts";

const MAX_STATEMENT_BYTES = 64 * 1024;

interface RememberOptions {
  readonly category?: string;
  readonly subject?: string;
}

export const define: Define = (command, shell) => {
  command
    .description("Store a statement as a memory, word for word.")
    .argument("[statement...]", "statement to store (default: standard input)")
    .option(
      "-c, --category <name>",
      "profile, preferences, entities or patterns (default: derived from the statement)",
    )
    .option(
      "-s, --subject <name>",
      "person or thing that the statement is about (default: derived from the statement)",
    )
    .action(async (words: string[], { category, subject }: RememberOptions) => {
      const statement =
        words.length > 0 ? words.join(" ") : (await readAll(shell.io.in, MAX_STATEMENT_BYTES)).trim();
      const { memories } = await shell.client();
      const made = await memories.create({ statement, category, subject }, { signal: shell.signal });
      await shell.show(
        made,
        () => `${made.created ? "remembered" : "already known"}: ${made.memory?.memoryId ?? ""}\n`,
      );
    });
};
