import { Option } from "commander";
import { wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { followTask } from "../../follow-task.ts";
import { counted, timeText } from "../../terminal/amounts.ts";
import { factsText, tableText } from "../../terminal/columns.ts";
import { readAll } from "../../terminal/read-all.ts";

const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

export const define: Define = (command, shell) => {
  command.description("Manage sessions: conversations from which `ctxdb commit` extracts memories.");
  command
    .command("list", { isDefault: true })
    .description("List your sessions, most recently changed first.")
    .option("-n, --limit <count>", "maximum number of sessions", wholeNumber, 20)
    .action(async ({ limit }: { readonly limit: number }) => {
      const { sessions, nextCursor } = await (await shell.client()).sessions.list(
        { limit },
        { signal: shell.signal },
      );
      await shell.show(sessions, () =>
        tableText(
          [
            { title: "Session", style: "name" },
            { title: "Messages", align: "right" },
            { title: "Updated" },
            { title: "Agent" },
          ],
          sessions.map((one) => [
            one.sessionId,
            String(one.messageCount),
            timeText(one.updatedAt),
            one.user?.agentId ?? "",
          ]),
          shell,
        ),
      );
      if (sessions.length === 0) shell.note("no sessions; start one with `ctxdb session create`");
      if (nextCursor) shell.note(`these are the last ${sessions.length} sessions; use --limit to see more`);
    });
  command
    .command("create")
    .description("Start a session.")
    .argument("[id]", "id of the session (default: generated)")
    .action(async (sessionId: string | undefined) => {
      const made = await (await shell.client()).sessions.create({ sessionId }, { signal: shell.signal });
      await shell.show(made, () => `${made.sessionId}\n`);
    });
  command
    .command("show")
    .description("Show one session.")
    .argument("<id>", "id of the session")
    .action(async (sessionId: string) => {
      const found = await (await shell.client()).sessions.get({ sessionId }, { signal: shell.signal });
      await shell.show(found, () =>
        factsText(
          [
            ["Session", found.sessionId],
            ["User", found.user?.userId],
            ["Agent", found.user?.agentId],
            ["Messages", `${found.messageCount} since the last commit`],
          ],
          shell.paint,
        ),
      );
    });
  command
    .command("say")
    .alias("add")
    .description("Add a message to a session. Starts the session if it does not exist.")
    .argument("<id>", "id of the session")
    .argument("[text...]", "text of the message (default: standard input)")
    .addOption(
      new Option("--role <role>", "who wrote the message").choices(["user", "assistant"]).default("user"),
    )
    .action(async (sessionId: string, words: string[], { role }: { readonly role: string }) => {
      const content = words.length > 0 ? words.join(" ") : await readAll(shell.io.in, MAX_MESSAGE_BYTES);
      const { sessions } = await shell.client();
      const { signal } = shell;
      const say = () => sessions.addMessage({ sessionId, role, content }, { signal });
      const said = await say().catch(async (error: { readonly code?: string }) => {
        if (error.code !== "NOT_FOUND") throw error;
        await sessions.create({ sessionId }, { signal });
        return say();
      });
      await shell.show(said, () => `${counted(said.messageCount, "message")} in ${said.sessionId}\n`);
    });
  command
    .command("rm")
    .description(
      "Delete a session with its messages and archives. Keeps its memories unless --forget is given.",
    )
    .argument("<id>", "id of the session")
    .option("--forget", "also remove the memories that come from the session")
    .action(async (sessionId: string, { forget = false }: { readonly forget?: boolean }) => {
      const { sessions } = await shell.client();
      const removed = await sessions.delete({ sessionId, forget }, { signal: shell.signal });
      if (removed.taskId !== undefined) await followTask(shell, removed.taskId);
      await shell.show(removed, () => `deleted ${removed.sessionId}\n`);
    });
};
