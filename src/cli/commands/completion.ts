import { Argument, type Command } from "commander";
import type { Define } from "../define.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** Completions after a command: subcommands and long options. */
interface Words {
  readonly name: string;
  readonly summary: string;
  readonly subcommands: readonly string[];
  readonly options: readonly string[];
}

export const define: Define = (command, shell) => {
  command
    .description(
      'Print a completion script. bash: eval "$(ctxdb completion bash)"; zsh: eval "$(ctxdb completion zsh)"; fish: ctxdb completion fish | source.',
    )
    .addArgument(new Argument("<shell>", "your shell").choices(SHELLS))
    .action((kind: (typeof SHELLS)[number]) => {
      const program = command.parent;
      if (program === null) return;
      const words = program.commands.map(wordsOf);
      const shared = longOptions(program);
      if (kind === "fish") return shell.print(fishScript(words, shared));
      const bash = bashScript(words, shared);
      shell.print(kind === "bash" ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`);
    });
};

const longOptions = (command: Command): string[] =>
  command.options.flatMap(({ long }) => (long ? [long] : []));

const wordsOf = (command: Command): Words => ({
  name: command.name(),
  summary: command.summary(),
  subcommands: command.commands.map((one) => one.name()),
  options: [...new Set([command, ...command.commands].flatMap(longOptions))],
});

function bashScript(words: readonly Words[], shared: readonly string[]): string {
  const names = [...words.map(({ name }) => name), "help"].join(" ");
  const cases = words.map(({ name, subcommands, options }) => {
    return `    ${name}) subcommands='${subcommands.join(" ")}' options='${options.join(" ")}' ;;\n`;
  });
  return `_ctxdb() {
  local word=\${COMP_WORDS[COMP_CWORD]} options='' subcommands=''
  if ((COMP_CWORD == 1)) && [[ $word != -* ]]; then
    COMPREPLY=($(compgen -W '${names}' -- "$word"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join("")}  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$options ${shared.join(" ")}" -- "$word"))
  elif ((COMP_CWORD == 2)); then COMPREPLY=($(compgen -W "$subcommands" -- "$word")); fi
}
complete -o default -F _ctxdb ctxdb
`;
}

function fishScript(words: readonly Words[], shared: readonly string[]): string {
  const long = (option: string) => option.replace(/^--/, "");
  const lines = words.flatMap(({ name, summary, subcommands, options }) => {
    const within = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c ctxdb -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", "\\'")}'`,
      ...subcommands.map((one) => `complete -c ctxdb ${within} -a ${one}`),
      ...options.map((option) => `complete -c ctxdb ${within} -l ${long(option)}`),
    ];
  });
  return [...lines, ...shared.map((option) => `complete -c ctxdb -l ${long(option)}`), ""].join("\n");
}
