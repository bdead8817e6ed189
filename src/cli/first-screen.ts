import type { Paint } from "./terminal/paint.ts";

const STEPS: readonly (readonly [title: string, ...lines: (readonly [command: string, what: string])[]])[] = [
  [
    "Start",
    ["ctxdb doctor", "check whether a server can run on this machine"],
    ["ctxdb serve", "start a server in this terminal"],
  ],
  [
    "Search",
    ["ctxdb add ./docs", "add a folder, a file or a URL"],
    ['ctxdb find "how do I back up?"', "search; prints the best passages"],
    ["ctxdb tree", "show the stored files and folders"],
    ["ctxdb read resources/docs/start.md", "print a file"],
  ],
  [
    "Sessions and memories",
    ['ctxdb session say monday "I like tea."', "add a message to a session"],
    ["ctxdb commit monday", "extract memories from the session"],
  ],
  [
    "Another server",
    ["ctxdb login https://host:1933", "save a server and its API key"],
    ["ctxdb status", "show the server and who you are"],
  ],
];
const COMMAND_WIDTH = 42;

/** Text printed by `ctxdb` without a command. */
export function firstScreen(paint: Paint): string {
  const parts = STEPS.map(([title, ...lines]) => {
    const rows = lines.map(([command, what]) => `  ${paint.name(command.padEnd(COMMAND_WIDTH))}${what}\n`);
    return `${paint.strong(title)}\n${rows.join("")}\n`;
  });
  return `${paint.strong("ctxdb")}: the context database for AI agents\n\n${parts.join("")}${paint.faint("All commands: `ctxdb help`. One command: `ctxdb help find`.")}\n`;
}
