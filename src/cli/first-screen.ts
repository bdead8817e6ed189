import type { Paint } from "./terminal/paint.ts";

const STEPS: readonly (readonly [title: string, ...lines: (readonly [command: string, what: string])[]])[] = [
  [
    "Start",
    ["ctxdb doctor", "what is missing on this machine"],
    ["ctxdb serve", "run a server in this terminal"],
  ],
  [
    "Ask",
    ["ctxdb add ./docs", "add a folder, a file or a URL"],
    ['ctxdb find "how do I back up?"', "the best passages"],
    ["ctxdb tree", "what is there"],
    ["ctxdb read resources/docs/start.md", "one file"],
  ],
  [
    "Remember",
    ['ctxdb session say monday "I like tea."', "say something in a session"],
    ["ctxdb commit monday", "make memories of it"],
  ],
  [
    "Elsewhere",
    ["ctxdb login https://host:1933", "remember another server and a key"],
    ["ctxdb status", "who answers, and who you are"],
  ],
];
const COMMAND_WIDTH = 42;

/** Text of `ctxdb` without a command. */
export function firstScreen(paint: Paint): string {
  const parts = STEPS.map(([title, ...lines]) => {
    const rows = lines.map(([command, what]) => `  ${paint.name(command.padEnd(COMMAND_WIDTH))}${what}\n`);
    return `${paint.strong(title)}\n${rows.join("")}\n`;
  });
  return `${paint.strong("ctxdb")}: the context database for AI agents\n\n${parts.join("")}${paint.faint("All commands: ctxdb help · one of them: ctxdb help find")}\n`;
}
