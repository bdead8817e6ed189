import { type Command, CommanderError } from "commander";
import type { CommandEntry } from "./command-entry.ts";
import { COMMANDS } from "./command-table.ts";
import { EXIT } from "./exit-code.ts";
import { failureOf } from "./failure.ts";
import { firstScreen } from "./first-screen.ts";
import { programOf } from "./global-options.ts";
import type { Io } from "./io.ts";
import { type GlobalOptions, Shell } from "./shell.ts";
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

/** Whether only options were given; commander then reports its help as an error. */
const isWithoutCommand = (error: unknown): boolean =>
  error instanceof CommanderError && error.code === "commander.help";

/** Rewrites `help find` to `find --help`. */
const withHelp = (args: readonly string[]): string[] =>
  args[0] === "help" ? [...args.slice(1), "--help"] : [...args];

/** Loads the definition of a top-level command, which defines its subcommands, too. */
export async function load(command: Command, shell: Shell): Promise<void> {
  const entry: CommandEntry | undefined = COMMANDS.find(({ name }) => name === command.name());
  if (entry === undefined || command.parent?.parent) return;
  const { define } = await entry.load();
  define(command, shell);
}
