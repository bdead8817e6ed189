import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../crash/random.ts";
import { ROOT_KEY, type Server } from "../crash/server.ts";
import type { ReplicatedPostgres } from "../support/postgres.ts";
import type { Cluster, Node } from "./cluster.ts";
import { damageCopy, fillDisk } from "./copy-faults.ts";
import type { Gate } from "./gate.ts";
import type { Account, Load, LogFile } from "./load.ts";

/** Longest pause in ms between two faults. */
const BETWEEN_MS = 1000;
/** Reads and appends that wait at a server that is cut off. */
const WAITING = 3;
/** Time in ms until what was held has been sent on. */
const SENT_MS = 300;

/** Faults that make the fence and the lease check necessary. */
export const ISOLATING: ReadonlySet<string> = new Set(["late", "cut", "pause"]);

/** Takeovers before a server is cut off for shorter times, too. */
const MIN_OVERTAKEN = 6;

interface Parts {
  readonly cluster: Cluster;
  readonly load: Load;
  readonly postgres: ReplicatedPostgres;
  /** In front of the object store. */
  readonly objects: Gate;
  readonly random: Random;
  readonly leaseMs: number;
}

/** Faults from a seed, one after the other. */
export class Disturbances {
  readonly counts = new Map<string, number>();
  /** How often another server has acknowledged a change while one was cut off: what the checks are for. */
  overtaken = 0;
  /** How often a server with a full disk has left. */
  left = 0;
  readonly #parts: Parts;
  readonly #all: Readonly<Record<string, () => Promise<void>>> = {
    pause: () => this.#isolated(pause),
    cut: () => this.#isolated(cut),
    sever: () => this.#isolated(sever),
    late: () => this.#late(),
    kill: () => this.#restart((server) => server.kill(), false),
    killWithDisk: () => this.#restart((server) => server.kill(), true),
    stop: () => this.#restart((server) => server.stop(), false),
    peers: () => this.#peersAway(),
    store: () => this.#storeAway(),
    storeKill: () => this.#parts.postgres.restart(),
    storeLost: () => this.#parts.postgres.failOver((url) => this.#parts.cluster.pointTo(url)),
    copyDamaged: () => this.#restart((server, node) => server.kill().then(() => this.#damage(node)), false),
    diskFull: () => this.#diskFull(),
    objects: () => this.#objectsAway(),
    drain: () => this.#drain(),
    move: () => this.#move(),
  };

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Until `isOver`: all faults, or those of the names, in random order, then again. Those that cut a server off
   * come first, so that a short run has them.
   */
  async run(isOver: () => boolean, names = Object.keys(this.#all)): Promise<void> {
    const { random } = this.#parts;
    const shuffled = (some: string[] = []) => random.sample(some, some.length);
    for (let waiting: string[] = []; ; ) {
      if (waiting.length === 0) {
        const [first, rest] = [true, false].map((is) => names.filter((name) => ISOLATING.has(name) === is));
        waiting = [...shuffled(rest), ...shuffled(first)];
      }
      await sleep(random.integer(0, BETWEEN_MS));
      if (isOver()) return;
      const name = String(waiting.pop());
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
      await this.#all[name]?.();
    }
  }

  async #restart(
    end: (server: Server, node: Node) => Promise<unknown>,
    isBlank: boolean,
    node = this.#parts.random.pick(this.#parts.cluster.nodes),
  ): Promise<void> {
    await this.#parts.cluster.restart(node, (server) => end(server, node), isBlank);
  }

  #damage({ folder }: Node): Promise<void> {
    return damageCopy(folder, this.#parts.random);
  }

  /** The owner of an account cannot write its copy of a change: it leaves, and starts again with room on its disk. */
  async #diskFull(): Promise<void> {
    const { load, leaseMs } = this.#parts;
    const { node, account } = await this.#anyOwner();
    const file = await load.create(account);
    await this.#restart(
      async (server) => {
        fillDisk(server);
        const late = sleep(3 * leaseMs).then(() => undefined);
        await load.append(file, node);
        const ended = await Promise.race([server.ended, late]);
        if (ended?.code === 1) this.left++;
        if (!ended) await server.kill();
      },
      false,
      node,
    );
  }

  /**
   * Cuts a server off until another one has acknowledged a change of an account that it owned, or now and then
   * for a random time, once that has happened. Calls that go straight to it are under way when it is cut off and when it goes on.
   */
  async #isolated({ begin, end }: Isolation): Promise<void> {
    const { load, random, leaseMs } = this.#parts;
    const { node, account } = await this.#anyOwner();
    const file = await load.create(account);
    await load.append(file);
    const early = this.#wait(file, node);
    begin(node);
    if (this.overtaken >= MIN_OVERTAKEN && random.chance(0.3)) await sleep(random.integer(0, leaseMs));
    else await this.#overtake(file, node);
    const late = this.#wait(file, node);
    await sleep(random.integer(0, SENT_MS));
    end(node);
    await Promise.all([...early, ...late]);
  }

  /** A change reaches the store after another server has taken over and changed the same file. */
  async #late(): Promise<void> {
    const { load } = this.#parts;
    const { node, account } = await this.#anyOwner();
    const file = await load.create(account);
    if (!(await load.append(file))) return;
    const held = node.store.holdBefore(load.nextLine);
    const append = load.append(file, node);
    // another server may own the account by now
    await Promise.race([held, append]);
    node.store.hold();
    await this.#overtake(file, node);
    node.store.release();
    await append;
    await sleep(SENT_MS);
  }

  /** Appends through the other servers until they acknowledge it, twice the time of a takeover at most. */
  async #overtake(file: LogFile, node: Node): Promise<void> {
    const { cluster, load, random, leaseMs } = this.#parts;
    const others = cluster.nodes.filter((one) => one !== node);
    const until = performance.now() + 3 * leaseMs;
    while (performance.now() < until) {
      if (!(await load.append(file, random.pick(others)))) continue;
      await load.append(file, random.pick(others));
      this.overtaken++;
      return;
    }
  }

  #wait(file: LogFile, node: Node): Promise<unknown>[] {
    const { load } = this.#parts;
    const calls = Array.from({ length: WAITING }, () => [load.read(file, node), load.append(file, node)]);
    return calls.flat();
  }

  async #peersAway(): Promise<void> {
    const { cluster, random, leaseMs } = this.#parts;
    const { peers } = random.pick(cluster.nodes);
    if (random.chance(0.5)) peers.hold();
    else peers.shut();
    await sleep(random.integer(0, leaseMs));
    peers.release();
  }

  async #storeAway(): Promise<void> {
    const { postgres, random, leaseMs } = this.#parts;
    await postgres.pause();
    await sleep(random.integer(0, 2 * leaseMs));
    await postgres.resume();
  }

  async #objectsAway(): Promise<void> {
    const { objects, random, leaseMs } = this.#parts;
    if (random.chance(0.5)) objects.hold();
    else objects.shut();
    await sleep(random.integer(0, leaseMs));
    objects.release();
  }

  async #drain(): Promise<void> {
    const member = await this.#anyMember();
    if (!member) return;
    const { cluster, random } = this.#parts;
    const path = `observer/members/${member.number}/drain`;
    await cluster.ask(random.pick(cluster.nodes), ROOT_KEY, "POST", path, {});
    await sleep(random.integer(0, 3000));
    await cluster.ask(random.pick(cluster.nodes), ROOT_KEY, "POST", path, { cancel: true });
  }

  async #move(): Promise<void> {
    const { cluster, load, random } = this.#parts;
    const member = await this.#anyMember();
    const body = { account_id: random.pick(load.accounts).name };
    const path = `observer/members/${member?.number ?? 1}/move`;
    await cluster.ask(random.pick(cluster.nodes), ROOT_KEY, "POST", path, body);
  }

  async #anyMember() {
    const { cluster, random } = this.#parts;
    const members = await cluster.members(random.pick(cluster.nodes));
    return members?.length ? random.pick(members) : undefined;
  }

  /** A server, and an account that it owns as far as is known. */
  async #anyOwner(): Promise<{ readonly node: Node; readonly account: Account }> {
    const { cluster, load, random } = this.#parts;
    const members = (await cluster.members(random.pick(cluster.nodes))) ?? [];
    const found = load.accounts.flatMap((account) => {
      const owner = members.find(({ accounts }) => accounts.includes(account.name));
      const node = cluster.nodes.find(({ settings }) => settings.CTXDB_PEER_URL === owner?.url);
      return node ? [{ node, account }] : [];
    });
    if (found.length > 0) return random.pick(found);
    return { node: random.pick(cluster.nodes), account: random.pick(load.accounts) };
  }
}

interface Isolation {
  readonly begin: (node: Node) => void;
  readonly end: (node: Node) => void;
}

/** Suspended. */
const pause: Isolation = {
  begin: ({ server }) => server.signal("SIGSTOP"),
  end: ({ server }) => server.signal("SIGCONT"),
};
/** Nothing gets through to the store or back. */
const cut: Isolation = { begin: ({ store }) => store.hold(), end: ({ store }) => store.release() };
/** The store refuses all connections of the server. */
const sever: Isolation = { begin: ({ store }) => store.shut(), end: ({ store }) => store.release() };
