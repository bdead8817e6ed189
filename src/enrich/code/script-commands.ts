import { named } from "../../domain/text/names.ts";

const MAX_READ_LENGTH = 64 * 1024;
const MAX_COMMANDS = 6;
const SCRIPT = /\.(?:sh|bash|zsh|ksh)$|^[^.]+$/;
/** The first line of a usage text, in a string or comment. */
const USAGE = /\b[Uu]sage: (?:\$0|\$\{?\w{1,40}\}?|[\w./-]{1,60}) ([^\n"'`]{3,120})/;
/** A word in the place of a command: at the beginning of a line, in a substitution, or after an operator. */
const COMMAND =
  /(?:^|[|;&(`]|(?<=^|[|;&(\n])\$\{\w{1,40}\}|\b(?:then|do|else|exec|sudo|if|while|until|!)[ \t])[ \t]{0,40}([A-Za-z/.][\w./+-]{1,60})(?=[ \t\n)]|$)(?![ \t]{0,8}=|\(\))/gm;
/** Keywords, builtins, and tools that most scripts use. */
const COMMON = new Set(
  "if then else elif fi for in do done while until case esac function select time return exit set unset export local declare readonly typeset read shift test true false echo printf eval exec source trap wait umask ulimit let cd pwd pushd popd break continue type command builtin hash alias unalias getopts kill cat grep sed awk cut tr head tail sort uniq wc basename dirname sleep expr tee xargs which env sudo not and or the to of is".split(
    " ",
  ),
);

const HERE_DOCUMENT = /<<-?[ \t]{0,4}["'\\]?([A-Za-z_]\w{0,40})/;

/** The lines of a script without those that it passes to a command as its input. */
function withoutHereDocuments(text: string): string {
  let end: string | undefined;
  const kept = text.split("\n").filter((line) => {
    const isInput = end !== undefined;
    if (line.trim() === end) end = undefined;
    else if (!isInput) end = HERE_DOCUMENT.exec(line)?.[1];
    return !isInput;
  });
  return kept.join("\n");
}

/** What a shell script without functions does, as a predicate: the programs it runs. "" for other code. */
export function scriptCommands(whole: string, file: string): string {
  const text = whole.slice(0, MAX_READ_LENGTH);
  if (!SCRIPT.test(file) && !/^#![^\n]{0,80}sh\b/.test(text)) return "";
  const usage = USAGE.exec(text)?.[1]?.trim();
  const code = withoutHereDocuments(text).replace(/^[ \t]{0,40}#[^\n]*/gm, "");
  const counts = new Map<string, number>();
  for (const [, word = ""] of code.matchAll(COMMAND)) {
    const name = word.replace(/^.*\//, "");
    if (name !== "" && !COMMON.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const most = [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  if (most.length > 0) return `shell script that runs ${named(most, MAX_COMMANDS)}`;
  return usage === undefined ? "" : `shell script with the arguments ${usage}`;
}
