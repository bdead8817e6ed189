import { Command, type CommanderError, InvalidArgumentError } from "commander";
import { packageVersion } from "../base/package-root.ts";
import { COMMANDS } from "./command-table.ts";
import type { Shell } from "./shell.ts";

/** The program with the names of all commands; the commands themselves are loaded on demand. */
export function programOf(shell: Shell): Command {
  const program = new Command("ctxdb")
    .description("The context database for AI agents.")
    .version(packageVersion(import.meta.url), "--version", "print the version of this program")
    .option("--address <url>", "server, default http://127.0.0.1:1933 (CTXDB_ADDRESS)")
    .option("--key <key>", "API key (CTXDB_API_KEY)")
    .option("--agent <id>", "act for this agent (CTXDB_AGENT)")
    .option("--account <id>", "act in this account; root key only (CTXDB_ACCOUNT)")
    .option("--user <id>", "act as this user; root key only (CTXDB_USER)")
    .option("--profile <name>", "use a server saved by `ctxdb login` (CTXDB_PROFILE)")
    .option("--timeout <seconds>", "time limit of a call in seconds, default 60", seconds)
    .option("--json", "print the result as the REST API returns it")
    .option("--no-color", "print without colours (NO_COLOR)")
    .configureHelp({ sortSubcommands: false, minWidthToWrap: 30 })
    .helpCommand(false)
    .showSuggestionAfterError();
  program.addHelpText("after", "\nHelp for one command: `ctxdb help COMMAND`. To get started, run `ctxdb`.");
  configure(program, shell);
  for (const { name, alias, summary, example, group } of COMMANDS) {
    const command = program.command(name).summary(summary).helpGroup(`${group}:`);
    if (alias !== undefined) command.alias(alias);
    command.addHelpText(
      "after",
      `\nExample:\n  ${example}\n\nGlobal options, such as --address, --key and --json: see \`ctxdb help\`.`,
    );
  }
  return program;
}

/** Makes commander throw errors instead of exiting, and write to the shell; subcommands inherit this. */
function configure(command: Command, shell: Shell): void {
  command
    .exitOverride((error: CommanderError) => {
      throw error;
    })
    .configureOutput({
      writeOut: (text) => shell.print(text),
      // the caller prints the error itself, on one line
      writeErr: () => undefined,
      getOutHelpWidth: () => shell.width ?? 80,
    });
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("It must be a number of seconds above 0.");
  return value;
}
