import { HOOK_AGENTS } from "../../agents/hook-event.ts";
import { runHookProcess } from "../../agents/hook-process.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command) => {
  command
    .description(
      `What hooks of coding agents call (${HOOK_AGENTS.join(", ")}): reads an event as JSON from standard input, answers a prompt with what is known, and keeps what was said. Ends within 300 ms and always with 0; faults are in hook.log of the state folder. \`ctxdb connect\` sets hooks up.`,
    )
    .argument("<agent>", "the agent")
    .argument("[event]", "the event, such as UserPromptSubmit")
    .action((agent: string, event = "") => runHookProcess([agent, event], process));
};
