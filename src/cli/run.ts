import { Command, CommanderError, InvalidArgumentError } from "commander";
import { packageVersion } from "../base/package-root.ts";
import type { CommandEntry } from "./command-entry.ts";
import { EXIT } from "./exit-code.ts";
import { failureOf } from "./failure.ts";
import { firstScreen } from "./first-screen.ts";
import type { Io } from "./io.ts";
import { type GlobalOptions, Shell } from "./shell.ts";
import { COMMANDS } from "./table.ts";
import { DEFAULT_ADDRESS } from "./target.ts";

/**
 * Runs a command line (argv without node and script) and returns the exit code. Errors are printed to stderr.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const shell = new Shell(io);
  const program = programOf(shell);
  let command = "";
  program.hook("preAction", (_, called) => {
    shell.options = called.optsWithGlobals<GlobalOptions>();
  });
  program.hook("preSubcommand", async (_, called) => {
    command = called.name();
    // completion describes all commands; any other command loads only itself
    for (const one of command === "completion" ? program.commands : [called]) await load(one, shell);
  });
  try {
    if (argv.length === 0) shell.print(firstScreen(shell.paint));
    else await program.parseAsync(withHelp(argv), { from: "user" });
    return EXIT.ok;
  } catch (error) {
    const target = await shell.target().catch(() => undefined);
    if (isWithoutCommand(error)) {
      shell.print(firstScreen(shell.paint));
      return EXIT.ok;
    }
    const failure = failureOf(error, { command, address: target?.address ?? DEFAULT_ADDRESS });
    if (argv.includes("--json")) shell.tellJson(failure);
    else shell.tell(failure);
    return failure.exitCode;
  } finally {
    await shell.close();
  }
}

/** Whether only options were given: commander reports its help as an error then. */
const isWithoutCommand = (error: unknown): boolean =>
  error instanceof CommanderError && error.code === "commander.help";

/** Rewrites `help find` to `find --help`. */
const withHelp = (args: readonly string[]): string[] =>
  args[0] === "help" ? [...args.slice(1), "--help"] : [...args];

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

/** Loads the definition of a command. */
export async function load(command: Command, shell: Shell): Promise<void> {
  const entry: CommandEntry | undefined = COMMANDS.find(({ name }) => name === command.name());
  if (entry === undefined || command.parent?.parent) return;
  const { define } = await entry.load();
  define(command, shell);
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
