import type { Command } from "commander";
import type { Shell } from "./shell.ts";

/**
 * What a file in commands/ exports as `define`: description, arguments, options and action of one command.
 */
export type Define = (command: Command, shell: Shell) => void;
