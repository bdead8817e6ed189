import { HOOK_AGENTS } from "../../agents/hook-event.ts";
import { runHookProcess } from "../../agents/hook-process.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command) => {
  command
    .description(
      `Handle a hook event of a coding agent (${HOOK_AGENTS.join(", ")}). Reads the event as JSON from standard input, adds recalled context to a prompt, and stores the conversation. Ends within 300 ms, always with exit code 0; errors go to hook.log in the state folder. Set up hooks with \`ctxdb connect\`.`,
    )
    .argument("<agent>", "name of the agent")
    .argument("[event]", "name of the event, for example UserPromptSubmit")
    .action((agent: string, event = "") => runHookProcess([agent, event], process));
};
