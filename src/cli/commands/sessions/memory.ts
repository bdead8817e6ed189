import type { Memory } from "../../../../clients/typescript/src/gen/ctxdb/v1/memory_pb.ts";
import { wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import type { Shell } from "../../shell.ts";
import { timeText } from "../../terminal/amounts.ts";
import { factsText, tableText } from "../../terminal/columns.ts";
import { type ConditionOptions, conditionsOf, withConditionOptions } from "../../time-and-origin-options.ts";

interface ListOptions extends ConditionOptions {
  readonly category?: string;
  readonly subject?: string;
  readonly superseded?: boolean;
  readonly limit: number;
}

export const define: Define = (command, shell) => {
  command.description("Manage single memories: facts and episodes.");
  withConditionOptions(command.command("ls", { isDefault: true }))
    .description("List your memories. With words: only memories that contain all of them.")
    .argument("[words...]", "words in the statement")
    .option("-c, --category <name>", "only profile, preferences, entities, patterns, cases or events")
    .option("-s, --subject <name>", "only memories about this person or thing")
    .option("--superseded", "include superseded memories")
    .option("-n, --limit <count>", "maximum number of memories", wholeNumber, 50)
    .action(async (words: string[], options: ListOptions) => {
      const { category, subject, superseded, limit } = options;
      const text = words.length > 0 ? words.join(" ") : undefined;
      const { memories, nextCursor } = await (await shell.client()).memories.list(
        {
          text,
          category,
          subject,
          includeSuperseded: superseded ?? false,
          limit,
          ...conditionsOf(options),
        },
        { signal: shell.signal },
      );
      await shell.show(memories, () => listText(memories, shell));
      if (memories.length === 0) shell.note("no memories; store one with `ctxdb remember`");
      if (nextCursor) shell.note(`these are the first ${memories.length} memories; use --limit to see more`);
    });
  command
    .command("show")
    .description("Show one memory.")
    .argument("<id>", "id of the memory")
    .action(async (memoryId: string) => {
      const { memory } = await (await shell.client()).memories.get({ memoryId }, { signal: shell.signal });
      await shell.show(memory, () => (memory ? oneText(memory, shell) : ""));
    });
  command
    .command("history")
    .description("Show a memory and the memories it superseded, newest first.")
    .argument("<id>", "id of the memory")
    .action(async (memoryId: string) => {
      const { memories } = await (await shell.client()).memories.history(
        { memoryId },
        { signal: shell.signal },
      );
      await shell.show(memories, () => listText(memories, shell));
    });
  command
    .command("edit")
    .description("Replace the statement of a memory. The old statement stays in its history.")
    .argument("<id>", "id of the memory")
    .argument("<statement...>", "new statement")
    .action(async (memoryId: string, words: string[]) => {
      const { memory } = await (await shell.client()).memories.update(
        { memoryId, statement: words.join(" ") },
        { signal: shell.signal },
      );
      await shell.show(memory, () => (memory ? oneText(memory, shell) : ""));
    });
  command
    .command("rm")
    .description("Delete a memory. Keeps the conversation it comes from; `ctxdb forget` removes that, too.")
    .argument("<id>", "id of the memory")
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
