import { setTimeout as sleep } from "node:timers/promises";
import { CtxdbError } from "../../../../clients/typescript/src/errors.ts";
import type {
  Change,
  WatchChangesResponse,
} from "../../../../clients/typescript/src/gen/ctxdb/v1/change_pb.ts";
import { printable, printableJson } from "../../../base/printable.ts";
import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { restJson } from "../../json-output.ts";
import type { Shell } from "../../shell.ts";
import { timeText } from "../../terminal/amounts.ts";

/** Delay in ms between attempts to reconnect. */
const AGAIN_MS = 2000;
/** Width of the kind column: the longest kind. */
const KIND_WIDTH = "described".length;

interface Options {
  readonly kinds?: readonly string[];
  readonly begin?: string;
  readonly cursor?: string;
}

export const define: Define = (command, shell) => {
  command
    .description(
      "Print changes as they happen, until interrupted. Reconnects automatically and misses no change. With --json, prints one line of JSON per change, with its cursor for --cursor.",
    )
    .argument("[uri]", "URI of a file or folder (default: everything you may read)", uriOf)
    .option("--kinds <kinds>", "only these kinds: added,changed,moved,removed,described,tagged", (text) =>
      text.split(","),
    )
    .option("--begin <where>", "where to begin: now, or oldest for the oldest stored change (default: now)")
    .option("--cursor <cursor>", "continue after the change with this cursor")
    .action(async (uri: string | undefined, options: Options) => {
      for await (const { event, change, cursor } of events(shell, uri, options)) {
        if (event !== "change" || !change) continue;
        if (shell.options.json) shell.print(`${printableJson({ ...Object(restJson(change)), cursor })}\n`);
        else shell.print(`${lineOf(change, shell)}\n`);
      }
    });
};

/** The stream of changes. Reconnects after failures, except if the first connection fails. */
async function* events(
  shell: Shell,
  uri: string | undefined,
  options: Options,
): AsyncGenerator<WatchChangesResponse> {
  const { changes } = await shell.client();
  const { signal } = shell;
  const request = { ...options, kinds: [...(options.kinds ?? [])], ...(uri !== undefined && { uri }) };
  for (let isLost = false, hasBegun = false, { cursor } = options; ; ) {
    try {
      for await (const event of changes.watch({ ...request, ...(cursor && { cursor }) }, { signal })) {
        if (isLost) shell.note("reconnected");
        [hasBegun, isLost, cursor] = [true, false, event.cursor];
        yield event;
      }
      return;
    } catch (error) {
      const isAway = error instanceof CtxdbError && error.code === "UNAVAILABLE";
      if (!isAway || !hasBegun) throw error;
      if (!isLost) shell.note("connection to the server lost; reconnecting");
      isLost = true;
      await sleep(AGAIN_MS, undefined, { signal });
    }
  }
}

function lineOf({ kind, uri, previousUri, time, user }: Change, { paint }: Shell): string {
  const place = previousUri === undefined ? uri : `${previousUri} → ${uri}`;
  const by = user === undefined ? "" : paint.faint(`  ${printable(user)}`);
  return `${paint.faint(timeText(time))}  ${kind.padEnd(KIND_WIDTH)}  ${printable(place)}${by}`;
}
