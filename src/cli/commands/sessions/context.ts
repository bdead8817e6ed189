import { wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { timeText } from "../../terminal/amounts.ts";

export const define: Define = (command, shell) => {
  command
    .description(
      "Print the context of a session for a model: abstracts of archives and the newest messages, within a token budget.",
    )
    .argument("<session>", "id of the session")
    .option("-t, --tokens <count>", "maximum size in estimated tokens (default: 128000)", wholeNumber)
    .action(async (sessionId: string, { tokens }: { readonly tokens?: number }) => {
      const { sessions } = await shell.client();
      const context = await sessions.context({ sessionId, tokenBudget: tokens }, { signal: shell.signal });
      const { strong, faint } = shell.paint;
      await shell.show(context, () => {
        const archives = context.preArchiveAbstracts.map(
          ({ archiveId, abstract }) => `${strong(archiveId)}\n${shell.plain(abstract)}\n\n`,
        );
        const latest =
          context.latestArchiveOverview === ""
            ? ""
            : `${strong("latest archive")}\n${shell.plain(context.latestArchiveOverview)}\n\n`;
        const messages = context.messages.map(({ role, parts, createdAt }) => {
          const text = parts
            .map((part) => part.text ?? part.uri ?? `tool ${part.toolName ?? ""}: ${part.toolStatus ?? ""}`)
            .join("\n");
          return `${strong(role)} ${faint(timeText(createdAt))}\n${shell.plain(text)}\n\n`;
        });
        return (
          archives.toReversed().join("") +
          latest +
          messages.join("") +
          faint(`about ${context.estimatedTokens} tokens\n`)
        );
      });
    });
};
