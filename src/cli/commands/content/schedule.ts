import { InvalidArgumentError } from "commander";
import type { RefreshSchedule } from "../../../../clients/typescript/src/gen/ctxdb/v1/resource_pb.ts";
import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import type { Shell } from "../../shell.ts";
import { durationText, timeText } from "../../terminal/amounts.ts";
import { factsText, tableText } from "../../terminal/columns.ts";

const URI = "URI of the resource, as `ctxdb add` printed it";
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 24 * 3600 };

export const define: Define = (command, shell) => {
  const { signal } = shell;
  const resources = async () => (await shell.client()).resources;
  const showOne = (one: RefreshSchedule) => shell.show(one, () => oneText(one, shell));
  command.description("Import resources again at an interval, from the source they came from.");
  command
    .command("ls", { isDefault: true })
    .description("List the schedules.")
    .argument("[uri]", "only schedules of this resource and of those below it", uriOf)
    .action(async (uri: string | undefined) => {
      const found = await (await resources()).schedules({ ...(uri !== undefined && { uri }) }, { signal });
      await shell.show(found, () => listText(found, shell));
      if (found.length === 0) shell.note("no schedules; add one with `ctxdb schedule set`");
    });
  command
    .command("set")
    .description(
      "Import a resource again at an interval, with your rights. A run whose source is unchanged does nothing.",
    )
    .argument("<uri>", URI, uriOf)
    .option("--every <time>", "time between two runs: 90s, 15m, 6h or 1d (default: 1h)", secondsOf)
    .action(async (uri: string, { every }: { readonly every?: number }) => {
      const asked = { uri, ...(every !== undefined && { intervalSeconds: every }) };
      await showOne(await (await resources()).schedule(asked, { signal }));
    });
  for (const [name, paused, description] of [
    ["pause", true, "Pause a schedule: import nothing until it is resumed."],
    ["resume", false, "Resume a paused schedule with a run now."],
  ] as const)
    command
      .command(name)
      .description(description)
      .argument("<uri>", URI, uriOf)
      .action(async (uri: string) =>
        showOne(await (await resources()).schedule({ uri, paused }, { signal })),
      );
  command
    .command("run")
    .description("Run a schedule now.")
    .argument("<uri>", URI, uriOf)
    .action(async (uri: string) => showOne(await (await resources()).runSchedule({ uri }, { signal })));
  command
    .command("rm")
    .description("Delete a schedule. The resource stays.")
    .argument("<uri>", URI, uriOf)
    .action(async (uri: string) => {
      const removed = await (await resources()).deleteSchedule({ uri }, { signal });
      await shell.show(removed, () => `deleted the schedule of ${shell.paint.name(uri)}\n`);
    });
};

function secondsOf(text: string): number {
  const [, amount = "", unit = ""] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  if (amount === "") throw new InvalidArgumentError("It must be a time such as 90s, 15m, 6h or 1d.");
  return Number(amount) * (UNITS[unit] ?? 1);
}

const stateText = ({ state, pauseReason }: RefreshSchedule): string =>
  pauseReason === undefined ? state : `${state}: ${pauseReason}`;

const listText = (found: readonly RefreshSchedule[], shell: Shell): string =>
  tableText(
    [
      { title: "Resource", style: "name", gives: true },
      { title: "Every" },
      { title: "State" },
      { title: "Last run" },
      { title: "Outcome" },
    ],
    found.map((one) => [
      one.uri,
      durationText(one.intervalSeconds),
      one.state,
      one.lastRunAt === undefined ? "" : timeText(one.lastRunAt),
      one.lastOutcome ?? "",
    ]),
    shell,
  );

const oneText = (one: RefreshSchedule, shell: Shell): string =>
  factsText(
    [
      ["Resource", one.uri],
      ["Source", one.source],
      ["Every", durationText(one.intervalSeconds)],
      ["State", stateText(one)],
      ["Next run", one.nextRunAt && timeText(one.nextRunAt)],
      ["Last run", one.lastRunAt && `${timeText(one.lastRunAt)}, ${one.lastOutcome}`],
      ["Error", one.lastError],
      ["Set by", one.userId],
    ],
    shell.paint,
  );
