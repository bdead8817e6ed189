import type { Command } from "commander";
import { gathered } from "./arguments.ts";

/** Options that filter memories by time and origin. */
export interface ConditionOptions {
  readonly asOf?: string;
  readonly since?: string;
  readonly until?: string;
  readonly withoutOrigin?: string[];
}

export const withConditionOptions = (command: Command): Command =>
  command
    .option("--as-of <time>", "use memories as they were at this time, for example 2026-11-20")
    .option("--since <time>", "only memories and file changes from this time on")
    .option("--until <time>", "only memories and file changes from before this time")
    .option(
      "--without-origin <origin>",
      "leave out memories of this origin: user, agent, tool or import; can be repeated",
      (text, before: string[] = []) => gathered(text, before),
    );

/** Converts the options to request fields. */
export const conditionsOf = ({ asOf, since, until, withoutOrigin = [] }: ConditionOptions) => ({
  asOf,
  since,
  until,
  excludeOrigins: withoutOrigin,
});
