import type { ForgetResponse } from "../../../../clients/typescript/src/gen/ctxdb/v1/memory_pb.ts";
import { share, wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { followTask } from "../../follow-task.ts";
import type { Shell } from "../../shell.ts";
import { counted } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

interface ForgetOptions {
  readonly uri?: string;
  readonly subject?: string;
  readonly minScore?: number;
  readonly limit?: number;
  readonly dryRun?: boolean;
  readonly wait: boolean;
}

export const define: Define = (command, shell) => {
  command
    .description(
      "Remove memories for good, with the sentences of the conversations they come from. Try --dry-run first.",
    )
    .argument("[words...]", "forget every memory and sentence that contains all these words")
    .option(
      "-u, --uri <uri>",
      "forget this memory file or folder, or the memory with this id, instead of matching words",
    )
    .option("-s, --subject <name>", "forget everything about this person or thing, instead of matching words")
    .option("--min-score <share>", "share of words that must match, 0.5 to 1 (default: 1)", share)
    .option("-n, --limit <count>", "forget nothing if more memories match (default: 100)", wholeNumber)
    .option("--dry-run", "only show what would be removed")
    .option("--no-wait", "return before the text is erased from the disk")
    .action(async (words: string[], options: ForgetOptions) => {
      const { uri, subject, minScore, limit, dryRun = false, wait } = options;
      const query = words.length > 0 ? words.join(" ") : undefined;
      const { memories } = await shell.client();
      const forgotten = await memories.forget(
        { uri, query, subject, minScore, limit, dryRun },
        { signal: shell.signal, deadlineSeconds: shell.patienceSeconds },
      );
      await shell.show(forgotten, () => receiptText(forgotten, shell));
      if (forgotten.taskId === undefined) return;
      if (wait) await followTask(shell, forgotten.taskId);
      else
        shell.note(
          `the text is being erased from the disk; wait for it with \`ctxdb tasks wait ${forgotten.taskId}\``,
        );
    });
};

function receiptText({ dryRun, memories, messages }: ForgetResponse, shell: Shell): string {
  if (memories.length === 0 && messages === 0) return "nothing found\n";
  const inMessages = `a sentence in ${counted(messages, "message")}`;
  if (!dryRun) return `forgot ${memories.length} of your memories, and ${inMessages}\n`;
  const table = tableText(
    [{ title: "Memory", style: "name" }, { title: "Category" }, { title: "Statement" }],
    memories.map((one) => [one.memoryId, one.category, one.statement]),
    shell,
  );
  return `${table}would forget these, and ${inMessages}\n`;
}
