import { InvalidArgumentError } from "commander";
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
      `Send the old conversations of a coding agent, of which memories are made: ${NAMES.join(", ")}. Can be interrupted and called again: each message is added once.`,
    )
    .argument("<agent>", "the agent")
    .option("--since <date>", "conversations that went on after this date alone", dateOf, 0)
    .action(async (agent: string, { since }: { readonly since: number }) => {
      const folderOf = Object.hasOwn(TRANSCRIPT_FOLDERS, agent) ? TRANSCRIPT_FOLDERS[agent] : undefined;
      if (folderOf === undefined)
        throw new UsageError(`there is no agent ${agent}; there are ${NAMES.join(", ")}`);
      const { env } = shell.io;
      const folder = folderOf(env);
      const target = await shell.target();
      const found = oldTranscripts(folder, since);
      let [messages, sessions] = [0, 0];
      const refused: string[] = [];
      for (const transcript of found) {
        shell.signal.throwIfAborted();
        try {
          const sent = await backfillTranscript(env, target, agent, transcript, shell.signal);
          messages += sent;
          if (sent > 0) sessions++;
        } catch (error) {
          if (error instanceof Unreachable) throw new LocalError(error.message, EXIT.unavailable);
          if (!(error instanceof Refused)) throw error;
          refused.push(transcript.session);
          shell.note(`${transcript.path}: ${error.message}`);
        }
      }
      await shell.show(
        { transcripts: found.length, sessions, messages, refused },
        () => `sent ${counted(messages, "message")} of ${counted(sessions, "session")}\n`,
      );
      if (found.length === 0) shell.note(`there are no transcripts in ${folder}`);
    });
};

function dateOf(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError("It is a date such as 2026-01-31.");
  return time;
}
