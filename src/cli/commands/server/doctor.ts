import { messageOf } from "../../../base/faults.ts";
import type { Config } from "../../../config/config.ts";
import { readConfig } from "../../../config/env.ts";
import { LocalError } from "../../cli-errors.ts";
import type { Define } from "../../define.ts";
import type { Check } from "../../doctor/check.ts";
import { fault, good } from "../../doctor/check.ts";
import { checkDataFolder, checkPort } from "../../doctor/environment.ts";
import { checkFaiss, checkModels, checkNode, checkTool } from "../../doctor/tools.ts";
import { counted } from "../../terminal/amounts.ts";
import type { Paint } from "../../terminal/paint.ts";

export const define: Define = (command, shell) => {
  command
    .description(
      "Check whether a server can run on this machine. Lists what is required, what is optional, and how to get what is missing. Exit code 1 if the server cannot start.",
    )
    .action(async () => {
      const checks = [checkNode(process.versions.node), ...(await checkPlace())];
      await shell.show(checks, () => checks.map((check) => checkText(check, shell.paint)).join(""));
      const faults = checks.filter(({ state }) => state === "fault").length;
      if (faults === 0) shell.note("the server can start on this machine");
      if (faults > 0)
        throw new LocalError(
          `the server cannot start on this machine: ${counted(faults, "problem")}, marked !!`,
        );
    });
};

async function checkPlace(): Promise<Check[]> {
  const { config, check } = checkSettings();
  const tools = [
    checkFaiss(),
    await checkTool("git", "--version", "importing git repositories"),
    await checkTool("ffmpeg", "-version", "importing video and audio"),
  ];
  if (config === undefined) return [check, ...(await checkModels("builtin")), ...tools];
  const folder = await checkDataFolder(config.dataDir);
  const isRunning = folder.found.includes("in use by");
  return [
    check,
    folder,
    await checkPort(config.host, config.port, isRunning),
    ...(await checkModels(config.embedding.provider)),
    ...tools,
  ];
}

function checkSettings(): { readonly config?: Config; readonly check: Check } {
  try {
    const config = readConfig();
    const keys = config.rootApiKey === undefined ? "no API keys required" : "API keys required";
    const secrets = `secrets: ${config.secretMode}`;
    return { config, check: good("settings", ["valid", keys, secrets, ...config.warnings].join(", ")) };
  } catch (error) {
    return { check: fault("settings", messageOf(error), "see docs/settings.md") };
  }
}

const NAME_WIDTH = 15;

function checkText({ name, state, found, remedy }: Check, paint: Paint): string {
  const marks = { good: paint.good("ok"), missing: paint.warn("--"), fault: paint.bad("!!") };
  const more = remedy === undefined ? "" : `    ${" ".repeat(NAME_WIDTH)}${paint.faint(remedy)}\n`;
  return `${marks[state]}  ${name.padEnd(NAME_WIDTH)}${found}\n${more}`;
}
