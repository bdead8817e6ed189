import type { Memory } from "../../../../clients/typescript/src/gen/ctxdb/v1/memory_pb.ts";
import { wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import type { Shell } from "../../shell.ts";
import { timeText } from "../../terminal/amounts.ts";
import { factsText, tableText } from "../../terminal/columns.ts";

interface ListOptions {
  readonly category?: string;
  readonly subject?: string;
  readonly asOf?: string;
  readonly superseded?: boolean;
  readonly limit: number;
}

export const define: Define = (command, shell) => {
  command.description("What is remembered: facts and episodes, one by one.");
  command
    .command("ls", { isDefault: true })
    .description("Your memories, or those with all the words.")
    .argument("[words...]", "words of the statement")
    .option("-c, --category <name>", "profile, preferences, entities, patterns, cases or events alone")
    .option("-s, --subject <name>", "about this one alone")
    .option("--as-of <time>", "what held at this time (ISO 8601)")
    .option("--superseded", "superseded ones too")
    .option("-n, --limit <count>", "memories at most", wholeNumber, 50)
    .action(async (words: string[], { category, subject, asOf, superseded, limit }: ListOptions) => {
      const text = words.length > 0 ? words.join(" ") : undefined;
      const { memories, nextCursor } = await (await shell.client()).memories.list(
        { text, category, subject, asOf, includeSuperseded: superseded ?? false, limit },
        { signal: shell.signal },
      );
      await shell.show(memories, () => listText(memories, shell));
      if (memories.length === 0) shell.note("no memories: `ctxdb remember` keeps one");
      if (nextCursor) shell.note(`the first ${memories.length} memories: --limit shows more`);
    });
  command
    .command("show")
    .description("One memory.")
    .argument("<id>", "its id")
    .action(async (memoryId: string) => {
      const { memory } = await (await shell.client()).memories.get({ memoryId }, { signal: shell.signal });
      await shell.show(memory, () => (memory ? oneText(memory, shell) : ""));
    });
  command
    .command("history")
    .description("A memory and what it has superseded, the newest first.")
    .argument("<id>", "its id")
    .action(async (memoryId: string) => {
      const { memories } = await (await shell.client()).memories.history(
        { memoryId },
        { signal: shell.signal },
      );
      await shell.show(memories, () => listText(memories, shell));
    });
  command
    .command("edit")
    .description("Give a memory a new statement; the one before stays in its history.")
    .argument("<id>", "its id")
    .argument("<statement...>", "what holds now")
    .action(async (memoryId: string, words: string[]) => {
      const { memory } = await (await shell.client()).memories.update(
        { memoryId, statement: words.join(" ") },
        { signal: shell.signal },
      );
      await shell.show(memory, () => (memory ? oneText(memory, shell) : ""));
    });
  command
    .command("rm")
    .description("Delete a memory; what was said stays in the archive of its session.")
    .argument("<id>", "its id")
    .action(async (memoryId: string) => {
      const removed = await (await shell.client()).memories.delete({ memoryId }, { signal: shell.signal });
      await shell.show(removed, () => `deleted ${removed.memoryId}\n`);
    });
};

const listText = (memories: readonly Memory[], shell: Shell): string =>
  tableText(
    [{ title: "Memory", style: "name" }, { title: "Category" }, { title: "Since" }, { title: "Statement" }],
    memories.map((one) => [
      one.memoryId,
      one.category,
      timeText(one.validFrom),
      one.validUntil ? `${one.statement} (until ${one.validUntil.slice(0, 10)})` : one.statement,
    ]),
    shell,
  );

const oneText = (memory: Memory, shell: Shell): string =>
  factsText(
    [
      ["Memory", memory.memoryId],
      ["Statement", memory.statement],
      ["Category", memory.category],
      ["Subject", memory.subject],
      ["Origin", memory.origin],
      ["File", memory.uri],
      ["Valid from", timeText(memory.validFrom)],
      ["Valid until", memory.validUntil && timeText(memory.validUntil)],
      ["Expires", memory.expiresAt && timeText(memory.expiresAt)],
    ],
    shell.paint,
  );
