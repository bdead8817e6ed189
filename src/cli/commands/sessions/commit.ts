import type { Define } from "../../define.ts";
import { followTask } from "../../follow-task.ts";

export const define: Define = (command, shell) => {
  command
    .description("Archive the new messages of a session and extract memories from them.")
    .argument("<session>", "id of the session")
    .option("--no-wait", "return without waiting for the memories")
    .action(async (sessionId: string, { wait }: { readonly wait: boolean }) => {
      const { sessions } = await shell.client();
      const { signal } = shell;
      if (!wait) {
        const accepted = await sessions.commit({ sessionId, wait: false }, { signal });
        await shell.show(accepted, () => `accepted ${sessionId}\n`);
        return shell.note(
          `still running on the server; wait for it with \`ctxdb tasks wait ${accepted.taskId}\``,
        );
      }
      if (shell.options.json) {
        const done = await sessions.commit(
          { sessionId, wait: true },
          { signal, deadlineSeconds: shell.patienceSeconds },
        );
        return shell.show(done, () => "");
      }
      const { taskId } = await sessions.commit({ sessionId, wait: false }, { signal });
      const { result = {} } = await followTask(shell, taskId ?? "");
      const extracted = Number(result.memories_extracted ?? 0);
      const summary =
        result.archived === false
          ? "nothing to archive"
          : `${extracted} ${extracted === 1 ? "memory" : "memories"}`;
      shell.print(`committed ${sessionId}: ${summary}\n`);
    });
};
