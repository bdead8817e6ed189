import { Argument } from "commander";
import type { Define } from "../define.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export const define: Define = (command, shell) => {
  command
    .description('Completion of commands, to be evaluated: eval "$(ctxdb completion bash)", or ctxdb completion fish | source.')
    .addArgument(new Argument("<shell>", "your shell").choices(SHELLS))
    .action((kind: (typeof SHELLS)[number]) => {
      const commands = command.parent?.commands ?? [];
      const names = commands
        .map((one) => one.name())
        .concat("help")
        .join(" ");
      const bash = `complete -o default -W '${names}' ctxdb\n`;
      const fish = commands.map(
        (one) => `complete -c ctxdb -n __fish_use_subcommand -a ${one.name()} -d '${one.summary().replaceAll("'", "\\'")}'\n`,
      );
      const scripts = { bash, zsh: `autoload -U +X bashcompinit && bashcompinit\n${bash}`, fish: fish.join("") };
      shell.print(scripts[kind]);
    });
};
