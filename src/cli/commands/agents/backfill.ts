import { InvalidArgumentError, Option } from "commander";
import { printable } from "../../../base/printable.ts";
import { backfillTranscript, oldTranscripts, TRANSCRIPT_FOLDERS } from "../../agents/backfill.ts";
import { Unreachable } from "../../agents/rest-call.ts";
import { Refused } from "../../agents/server-session.ts";
import { LocalError, UsageError } from "../../cli-errors.ts";
import type { Define } from "../../define.ts";
import { EXIT } from "../../exit-code.ts";
import { counted } from "../../terminal/amounts.ts";

const NAMES = Object.keys(TRANSCRIPT_FOLDERS);

export const define: Define = (command, shell) => {
  command
    .description(
      `Import the earlier conversations of a coding agent (${NAMES.join(", ")}) from this machine, and extract memories from them. Can be interrupted and repeated: each message is added once.`,
    )
    .argument("<agent>", "name of the agent")
    .addOption(
      new Option("--since <date>", "only conversations changed after this date, for example 2026-01-31")
        .argParser(dateOf)
        .default(0, "all conversations"),
    )
    .action(async (agent: string, { since }: { readonly since: number }) => {
      const folderOf = Object.hasOwn(TRANSCRIPT_FOLDERS, agent) ? TRANSCRIPT_FOLDERS[agent] : undefined;
      if (folderOf === undefined)
        throw new UsageError(`unknown agent "${agent}": choose one of ${NAMES.join(", ")}`);
      const { env } = shell.io;
      const folder = folderOf(env);
      const target = await shell.target();
      const found = oldTranscripts(folder, since);
      let [messages, sessions] = [0, 0];
      const refused: string[] = [];
      for (const transcript of found) {
        shell.signal.throwIfAborted();
        try {
          const sent = await backfillTranscript(env, target, agent, transcript, shell.signal, (error) =>
            shell.note(`${transcript.path}: a message is left out: ${printable(error.message)}`),
          );
          messages += sent;
          if (sent > 0) sessions++;
        } catch (error) {
          if (error instanceof Unreachable) throw new LocalError(error.message, EXIT.unavailable);
          if (!(error instanceof Refused)) throw error;
          refused.push(transcript.session);
          shell.note(`${transcript.path}: ${printable(error.message)}`);
        }
      }
      await shell.show(
        { transcripts: found.length, sessions, messages, refused },
        () => `sent ${counted(messages, "message")} of ${counted(sessions, "session")}\n`,
      );
      if (found.length === 0) shell.note(`no conversations found in ${folder}`);
    });
};

function dateOf(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError("It must be a date, for example 2026-01-31.");
  return time;
}
