import { setTimeout as sleep } from "node:timers/promises";
import type {
  ClusterMember,
  HandOver,
  ListMembersResponse,
} from "../../../../clients/typescript/src/gen/ctxdb/v1/observer_pb.ts";
import { wholeNumber } from "../../arguments.ts";
import { LocalError } from "../../cli-errors.ts";
import type { Define } from "../../define.ts";
import type { Shell } from "../../shell.ts";
import { counted } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

/** Maximum number of accounts named in a line. */
const NAMED = 5;
/** Polling interval in ms for the progress of a hand-over. */
const AGAIN_MS = 300;

export const define: Define = (command, shell) => {
  command.description(
    "Show the servers that share a store (CTXDB_STORE), and hand accounts over. Needs the root key if the server has keys.",
  );
  command
    .command("ls", { isDefault: true })
    .description("List the servers with their addresses, leases and accounts.")
    .action(async () => {
      const { observer } = await shell.client();
      const { members, handOvers } = await observer.members({ signal: shell.signal });
      await shell.show({ members, handOvers }, () => listText(shell, members, handOvers));
      shell.note(
        members.length === 0
          ? "no other server uses this store: set CTXDB_STORE to share one"
          : `${counted(members.length, "server")}; server ${members.find((one) => one.isAnswering)?.number} answered`,
      );
    });
  command
    .command("drain")
    .description(
      "Hand over all accounts of a server, so that it can be stopped. Waits until the server has none.",
    )
    .argument("<server>", "number of the server, from `ctxdb cluster ls`", wholeNumber)
    .option("--cancel", "end draining: the server keeps its remaining accounts")
    .option("--no-wait", "return at once")
    .action(async (number: number, { cancel, wait }: { cancel?: true; wait: boolean }) => {
      const { observer } = await shell.client();
      const { member } = await observer.drainMember(
        { number, cancel: cancel ?? false },
        { signal: shell.signal },
      );
      if (cancel || !wait) {
        await shell.show(
          member,
          () => `server ${number} has ${counted(member?.accountCount ?? 0, "account")}\n`,
        );
        return;
      }
      const { members } = await settled(shell, ({ members, handOvers }) => {
        const left = members.find((one) => one.number === number);
        if (left && !left.isDraining) throw new LocalError(`server ${number} is not draining any more`);
        return (left?.accountCount ?? 0) === 0 && !handOvers.some(({ from }) => from === number);
      });
      await shell.show(
        members.find((one) => one.number === number) ?? { number, accountCount: 0 },
        () => `server ${number} has no accounts\n`,
      );
      shell.note("it can be stopped now");
    });
  command
    .command("move")
    .description("Hand an account over to a server. Waits until the hand-over is complete.")
    .argument("<account>", "id of the account")
    .argument("<server>", "number of the server, from `ctxdb cluster ls`", wholeNumber)
    .option("--no-wait", "return at once")
    .action(async (accountId: string, number: number, { wait }: { wait: boolean }) => {
      const { observer } = await shell.client();
      const request = { accountId, number };
      let { isThere } = await observer.moveAccount(request, { signal: shell.signal });
      if (!isThere && wait) {
        const { members } = await settled(shell, (state) =>
          state.handOvers.every(({ account }) => account !== accountId),
        );
        const there = members.find((one) => one.number === number);
        const isCut = (there?.accounts.length ?? 0) < (there?.accountCount ?? 0);
        isThere = isCut || there?.accounts.includes(accountId) === true;
        if (!isThere) throw new LocalError(`${accountId} was not handed over: see the log of its server`);
      }
      await shell.show({ account: accountId, number, isThere }, () =>
        isThere ? `${accountId} is at server ${number}\n` : `${accountId} goes to server ${number}\n`,
      );
    });
};

/** Polls until the servers have the requested state. */
async function settled(
  shell: Shell,
  isOver: (state: ListMembersResponse) => boolean,
): Promise<ListMembersResponse> {
  const { observer } = await shell.client();
  const { signal } = shell;
  const until = performance.now() + shell.patienceSeconds * 1000;
  for (;;) {
    const state = await observer.members({ signal });
    if (isOver(state)) return state;
    if (performance.now() > until)
      throw new LocalError("the hand-over did not end in time: see its progress with `ctxdb cluster ls`");
    await sleep(AGAIN_MS, undefined, { signal });
  }
}

function listText(shell: Shell, members: readonly ClusterMember[], handOvers: readonly HandOver[]): string {
  const { paint } = shell;
  const servers = tableText(
    [
      { title: "Server", align: "right" },
      { title: "URL" },
      { title: "Lease", align: "right" },
      { title: "State" },
      { title: "Accounts" },
    ],
    members.map((member) => [
      String(member.number),
      member.url,
      `${member.leaseSeconds.toFixed(1)} s`,
      member.isDraining ? "draining" : "ready",
      accountsText(member),
    ]),
    { paint },
  );
  if (handOvers.length === 0) return servers;
  const moving = tableText(
    [
      { title: "Account" },
      { title: "From", align: "right" },
      { title: "To", align: "right" },
      { title: "State" },
      { title: "Reason" },
    ],
    handOvers.map(({ account, from, to, state, reason }) => [
      account,
      from === 0 ? "" : String(from),
      String(to),
      state,
      reason,
    ]),
    { paint },
  );
  return `${servers}\n${moving}`;
}

function accountsText({ accounts, accountCount }: ClusterMember): string {
  const more = accountCount - Math.min(accounts.length, NAMED);
  return [...accounts.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}
