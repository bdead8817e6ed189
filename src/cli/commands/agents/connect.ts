import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { CLIENT_VARIABLES } from "../../../base/client-variables.ts";
import { packageRoot } from "../../../base/package-root.ts";
import { printable } from "../../../base/printable.ts";
import { hookLogFile } from "../../agents/hook-log.ts";
import { waitingRecords } from "../../agents/spool.ts";
import { targetFolder } from "../../agents/state-folder.ts";
import { uriOf } from "../../arguments.ts";
import { LocalError, UsageError } from "../../cli-errors.ts";
import { AGENTS, type ConnectableAgent, type ConnectPlace } from "../../connect/agents.ts";
import {
  connect,
  connectChanges,
  type FileChange,
  isConnected,
  undo,
  undoChanges,
} from "../../connect/connection.ts";
import { lineDiff } from "../../connect/diff.ts";
import { GATEWAY_AGENTS, gatewayAgent, gatewayVariables, providersOf } from "../../connect/gateway-agents.ts";
import { gatewayFault } from "../../connect/gateway-probe.ts";
import type { Define } from "../../define.ts";
import type { Shell } from "../../shell.ts";
import { normal } from "../../target.ts";
import { factsText, tableText } from "../../terminal/columns.ts";

interface ConnectOptions {
  readonly undo?: boolean;
  readonly check?: boolean;
  readonly project?: boolean | string;
  readonly recallFrom?: string;
  readonly dryRun?: boolean;
  readonly gateway?: boolean;
}

export const define: Define = (command, shell) => {
  command
    .description(
      `Connect a coding agent to the server by writing the agent's configuration. Without an agent, list all agents and whether they are connected. Agents: ${AGENTS.map(({ id }) => id).join(", ")}.`,
    )
    .argument("[agent]", "name of the agent")
    .option("--undo", "restore the previous configuration")
    .option("--check", "check the connection and the server; exit code 1 if not connected")
    .option(
      "--project [folder]",
      "write the project's configuration instead of the user's (default: current folder)",
    )
    .option("--recall-from <uri>", "recall resources only from this folder")
    .option("--dry-run", "show the changes without writing them")
    .option("--gateway", "configure the agent to use the server's gateway instead of hooks and tools")
    .action(async (id: string | undefined, options: ConnectOptions) => {
      const place = options.gateway
        ? { ...placeOf(shell, options), variables: gatewayVariables(await shell.target()) }
        : placeOf(shell, options);
      if (id === undefined) return list(shell, place, options.gateway ? GATEWAY_AGENTS : AGENTS);
      const agent = agentCalled(id, options);
      if (options.check) return check(shell, agent, place, options);
      if (!options.undo) refuseTwoCaptures(id, agent, place);
      const work = options.undo ? { look: undoChanges, act: undo } : { look: connectChanges, act: connect };
      const changes = (options.dryRun ? work.look : work.act)(agent, place).filter(
        (one) => one.before !== one.after,
      );
      await report(shell, agent, changes, options);
    });
};

function agentCalled(id: string, { gateway }: ConnectOptions): ConnectableAgent {
  const agent = gateway ? gatewayAgent(id) : AGENTS.find((one) => one.id === id);
  if (agent !== undefined) return agent;
  const known = gateway ? AGENTS.filter((one) => gatewayAgent(one.id) !== undefined) : AGENTS;
  const reason = gateway ? `"${id}" has no setting for a gateway` : `unknown agent "${id}"`;
  throw new UsageError(`${reason}: choose one of ${known.map((one) => one.id).join(", ")}`);
}

/**
 * Refuses to connect an agent both ways: hooks and the gateway both capture messages, which would be stored
 * twice.
 */
function refuseTwoCaptures(id: string, agent: ConnectableAgent, place: ConnectPlace): void {
  const isGateway = agent.gets === "gateway";
  const other = isGateway ? AGENTS.find((one) => one.id === id) : gatewayAgent(id);
  if (other === undefined || agent.gets === "tools" || other.gets === "tools") return;
  if (stateOf(other, place) !== "yes") return;
  const [what, option] = isGateway ? ["hooks", ""] : ["the gateway", " --gateway"];
  throw new LocalError(
    `${agent.title} is already connected by ${what} and would store everything twice: first run \`ctxdb connect ${id}${option} --undo\``,
  );
}

function placeOf(shell: Shell, { project, recallFrom }: ConnectOptions): ConnectPlace {
  const { env } = shell.io;
  const { address, profile } = shell.options;
  const folder = project === undefined ? undefined : resolve(project === true ? "." : String(project));
  if (folder !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new LocalError(`${folder} is not a folder`);
  const variables = {
    // never write a key: the agent gets it from a profile or a variable
    ...(address !== undefined && { [CLIENT_VARIABLES.address]: normal(address) }),
    ...(profile !== undefined && { [CLIENT_VARIABLES.profile]: profile }),
    ...(recallFrom !== undefined && { [CLIENT_VARIABLES.project]: uriOf(recallFrom) }),
  };
  return {
    env,
    platform: process.platform,
    project: folder,
    packageRoot: packageRoot(import.meta.url),
    node: process.execPath,
    variables,
    exists: existsSync,
  };
}

async function report(
  shell: Shell,
  agent: ConnectableAgent,
  changes: readonly FileChange[],
  { undo: isUndo, dryRun }: ConnectOptions,
): Promise<void> {
  const shown = changes.map(({ file, before = "", after }) => ({
    file,
    change: after === undefined ? "deleted" : before === "" ? "written" : "changed",
    ...(dryRun && { diff: lineDiff(before, after ?? "") }),
  }));
  await shell.show({ agent: nameOf(agent), files: shown }, () =>
    shown
      .map(({ file, change, diff = [] }) =>
        [`${change} ${file}`, ...diff.map(printable)].map((line) => `${line}\n`).join(""),
      )
      .join(""),
  );
  if (dryRun) shell.note(shown.length === 0 ? "nothing would change" : "nothing was written");
  else if (isUndo)
    shell.note(
      shown.length === 0
        ? `${agent.title} was not connected`
        : `${agent.title} is disconnected; its configuration is as before`,
    );
  else if (shown.length === 0) shell.note(`${agent.title} is already connected`);
  else shell.note(`${agent.title} is connected. Next: ${agent.next}`);
}

/**
 * Whether the agent is connected; "unreadable" if a configuration file is invalid (another check reports
 * why).
 */
function stateOf(agent: ConnectableAgent, place: ConnectPlace): "yes" | "no" | "unreadable" {
  try {
    return isConnected(agent, place) ? "yes" : "no";
  } catch (error) {
    if (error instanceof LocalError) return "unreadable";
    throw error;
  }
}

async function list(shell: Shell, place: ConnectPlace, agents: readonly ConnectableAgent[]): Promise<void> {
  const rows = agents.map((agent) => ({
    agent: nameOf(agent),
    title: agent.title,
    gets: agent.gets,
    found: existsSync(agent.folder(place)),
    connected: stateOf(agent, place),
  }));
  await shell.show(rows, () =>
    tableText(
      [
        { title: "Agent", style: "name" },
        { title: "Name" },
        { title: "Installed" },
        { title: "Connected" },
        { title: "Gets" },
      ],
      rows.map((one) => [one.agent, one.title, one.found ? "yes" : "no", one.connected, one.gets]),
      shell,
    ),
  );
  shell.note("connect one with `ctxdb connect AGENT`");
}

/** The agent's name on the command line. */
const nameOf = ({ id, gets }: ConnectableAgent): string =>
  gets === "gateway" ? id.replace(/-gateway$/, "") : id;

async function check(
  shell: Shell,
  agent: ConnectableAgent,
  place: ConnectPlace,
  { gateway = false }: ConnectOptions,
): Promise<void> {
  const target = await shell.target();
  const { system } = await shell.client();
  const status = await system.status({ signal: shell.signal });
  const waiting = waitingRecords(targetFolder(shell.io.env, target));
  const connected = isConnected(agent, place);
  const facts = {
    agent: nameOf(agent),
    connected,
    server: target.address,
    account: status.account,
    user: status.user,
  };
  const providers = gateway ? providersOf(agent) : [];
  const states = await Promise.all(
    providers.map(async (provider) => [provider, (await gatewayFault(target, provider)) ?? "on"] as const),
  );
  const served = gateway && { gateway: Object.fromEntries(states) };
  await shell.show({ ...facts, waiting, ...served }, () =>
    factsText(
      [
        ["Agent", agent.title],
        ["Connected", connected ? "yes" : "no"],
        ["Server", `${target.address}, as ${status.user} of ${status.account}`],
        ...states.map(([provider, state]): [string, string] => [`Gateway to ${provider}`, state]),
        ["Waiting", waiting === 0 ? "nothing" : `${waiting} records to be sent by the next hook`],
        ["Log", existsSync(hookLogFile(shell.io.env)) ? hookLogFile(shell.io.env) : undefined],
      ],
      shell.paint,
    ),
  );
  if (states.length > 0 && states.every(([, state]) => state !== "on"))
    throw new LocalError(`the gateway of ${target.address} does not support ${agent.title}`);
  const command = `ctxdb connect ${nameOf(agent)}${gateway ? " --gateway" : ""}`;
  if (!connected) throw new LocalError(`${agent.title} is not connected: run \`${command}\``);
}
