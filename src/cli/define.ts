import type { Command } from "commander";
import type { Shell } from "./shell.ts";

/** Export of every file in commands/: defines the description, arguments, options and action of a command. */
export type Define = (command: Command, shell: Shell) => void;
