import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { verifyFolder } from "../../src/server/verify-data-dir.ts";
import { silentLog } from "../support/silent-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { AdminCaller } from "./admin-caller.ts";
import { ChangeCaller } from "./change-caller.ts";
import { ForgetCaller } from "./forget-caller.ts";
import { Random } from "./random.ts";
import { RemoteCaller } from "./remote-caller.ts";
import { isOk, Rest, say } from "./rest.ts";
import { ScheduleCaller } from "./schedule-caller.ts";
import { ROOT_KEY, Server } from "./server.ts";
import { SessionCaller } from "./session-caller.ts";
import { SharingCaller } from "./sharing-caller.ts";
import { SkillCaller } from "./skill-caller.ts";
import { TreeCaller } from "./tree-caller.ts";

const USERS = ["u0", "u1", "u2"];
const MAX_KILLS_PER_CYCLE = 3;
/** Embedding hundreds of files takes time on a busy machine. */
const DRAIN_LIMIT_SECONDS = 300;
const WARN = 40;
const ERROR = 50;
const FATAL = 60;
const ARMED = ":armed";
/** Time limit for the callers to reach a fail point. */
const ARMED_LIMIT_MS = 2000;
const MAX_FAULTS_SAID = 5;
const DEATH_LIMIT_MS = 2000;

/** Kinds of fail points (fail-points.mjs), each with the highest number of its calls to wait for. */
const FAIL_POINTS: Readonly<Record<string, number>> = {
  batch: 30,
  claim: 8,
  settle: 8,
  enqueue: 12,
  stage: 3,
  large: 2,
  handover: 400,
  link: 40,
  journal: 2,
  counter: 2,
  account: 3,
  upload: 1,
  rename: 2,
  sync: 3,
  unlink: 1,
  mkdir: 2,
  manifest: 4,
  seal: 4,
  merge: 1,
  checkpoint: 1,
  forget: 3,
  plan: 8,
  redact: 3,
  scrub: 12,
  purge: 4,
  segment: 8,
  drop: 4,
  load: 4,
  answer: 6,
  build: 6,
};

/** Fail points within a large change, which must be under way when they count. */
const IN_LARGE: ReadonlySet<string> = new Set(["stage", "large", "handover", "link", "journal"]);
/** Time limit for reading a large import and beginning its change. */
const LARGE_LIMIT_MS = 10_000;

/** What a process prints before it kills itself at a fail point. */
const HIT = /fail point (\w+:\w+)/;

/** Pauses between two kills of the server's child processes. */
const CHILD_KILL_PAUSE_MS = [20, 400] as const;
/**
 * How often a file may lose its parsing process; after that the process gets the time that starting and
 * parsing take on a busy machine.
 */
const KILLS_IN_A_ROW = 3;
const CHILD_REST_MS = 2000;

export interface HarnessOptions {
  readonly seed: number;
  readonly failPoints: boolean;
  /** See StartOptions. */
  readonly fromSource?: boolean;
  readonly say: (line: string) => void;
}

/** A server on its own data directory, with its callers and their models. */
export class Harness {
  readonly violations: string[] = [];
  readonly hits = new Map<string, number>();
  readonly #options: HarnessOptions;
  readonly #random: Random;
  readonly #folder: Awaited<ReturnType<typeof temporaryFolder>>;
  #trees: TreeCaller[] = [];
  #talkers: SessionCaller[] = [];
  #skills: SkillCaller | undefined;
  #remote: RemoteCaller | undefined;
  #watcher: ChangeCaller | undefined;
  #sharer: SharingCaller | undefined;
  #planner: ScheduleCaller | undefined;
  #forgetful: ForgetCaller | undefined;
  readonly #admin: AdminCaller;
  #server: Server | undefined;
  #port = 0;
  /** Counts the running server's fail point from the start of the work. */
  #isArmed = false;
  #isInLarge = false;
  #cycle = 0;

  private constructor(options: HarnessOptions, folder: Awaited<ReturnType<typeof temporaryFolder>>) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#folder = folder;
    this.#admin = new AdminCaller(new Random(this.#random.seed()), (what) => this.complain(what));
  }

  static async open(options: HarnessOptions): Promise<Harness> {
    const harness = new Harness(options, await temporaryFolder());
    await mkdir(harness.#sources, { recursive: true });
    await harness.#start();
    await harness.#makeUsers();
    return harness;
  }

  get dataDir(): string {
    return join(this.#folder.path, "data");
  }

  get #sources(): string {
    return join(this.#folder.path, "sources");
  }

  get #callers(): readonly (
    | TreeCaller
    | SessionCaller
    | SkillCaller
    | RemoteCaller
    | ChangeCaller
    | SharingCaller
    | ScheduleCaller
    | ForgetCaller
    | AdminCaller
  )[] {
    return [
      ...this.#trees,
      ...this.#talkers,
      ...(this.#skills ? [this.#skills] : []),
      ...(this.#remote ? [this.#remote] : []),
      ...(this.#watcher ? [this.#watcher] : []),
      ...(this.#sharer ? [this.#sharer] : []),
      ...(this.#planner ? [this.#planner] : []),
      ...(this.#forgetful ? [this.#forgetful] : []),
      this.#admin,
    ];
  }

  get acknowledged(): number {
    return this.#callers.reduce((sum, caller) => sum + caller.acknowledged, 0);
  }

  complain(what: string): void {
    this.violations.push(`cycle ${this.#cycle}: ${what}`);
    this.#options.say(`  VIOLATION ${this.violations.at(-1)}`);
  }

  /** One cycle: work until a kill, a restart with further kills, empty queues, comparison. */
  async cycle(isLast: boolean): Promise<void> {
    this.#cycle++;
    await this.#work();
    await this.#recover();
    await this.#check(isLast);
  }

  /** Stops the server cleanly, which closes the data directory. */
  async stop(): Promise<void> {
    const complaint = await this.#server?.stop();
    if (complaint) this.complain(complaint);
    this.#server = undefined;
  }

  /** Stops the server, recomputes every table from its records, and starts it again. */
  async verify(): Promise<void> {
    await this.stop();
    for (const fault of (await verifyFolder(this.dataDir, { log: silentLog, now: Date.now })).slice(
      0,
      MAX_FAULTS_SAID,
    ))
      this.complain(`verify: ${fault}`);
    await this.#start();
    await this.#check(false);
  }

  async close(keep: boolean): Promise<void> {
    if (this.#server?.running) await this.#server.kill();
    for (const caller of this.#callers) caller.close();
    if (keep) this.#options.say(`kept: ${this.#folder.path}`);
    else await rm(this.#folder.path, { recursive: true, force: true });
  }

  async #makeUsers(): Promise<void> {
    const rest = new Rest(this.#port, { "x-api-key": ROOT_KEY });
    const must = async (path: string, body: object): Promise<string> => {
      const answer = await rest.post(path, body);
      if (!isOk(answer)) throw new Error(`${path}: ${say(answer)}`);
      return (answer.result as { user_key: string }).user_key;
    };
    await must("/api/v1/admin/accounts", { account_id: "work", admin_user_id: "boss" });
    for (const user of USERS) {
      const key = await must("/api/v1/admin/accounts/work/users", { user_id: user });
      const caller = new TreeCaller(user, key, this.#sources, new Random(this.#random.seed()), (what) =>
        this.complain(what),
      );
      await caller.begin(this.#port);
      this.#trees.push(caller);
      const talker = new SessionCaller(user, key, new Random(this.#random.seed()), (what) =>
        this.complain(what),
      );
      talker.connect(this.#port);
      this.#talkers.push(talker);
      this.#skills ??= new SkillCaller(key, new Random(this.#random.seed()), (what) => this.complain(what));
      this.#watcher ??= new ChangeCaller(key, new Random(this.#random.seed()), (what) => this.complain(what));
      const folder = join(this.#sources, "remote");
      this.#remote ??= new RemoteCaller(key, folder, new Random(this.#random.seed()), (what) =>
        this.complain(what),
      );
    }
    const planner = await must("/api/v1/admin/accounts/work/users", { user_id: "planner" });
    const planned = join(this.#sources, "planned");
    this.#planner = new ScheduleCaller(planner, planned, new Random(this.#random.seed()), (what) =>
      this.complain(what),
    );
    await this.#planner.begin(this.#port);
    const secretive = await must("/api/v1/admin/accounts/work/users", { user_id: "secretive" });
    this.#forgetful = new ForgetCaller(
      "secretive",
      secretive,
      this.dataDir,
      new Random(this.#random.seed()),
      (what) => this.complain(what),
    );
    await this.#forgetful.begin(this.#port);
    await this.#skills?.begin(this.#port);
    await this.#remote?.begin(this.#port);
    await this.#watcher?.begin(this.#port);
    this.#sharer = new SharingCaller(new Random(this.#random.seed()), (what) => this.complain(what));
    await this.#sharer.begin(this.#port);
    rest.close();
  }

  /** Returns a fail point, counted from the start of the process or of the work, or none. */
  #failPoint(probability: number, armed: boolean): string | undefined {
    if (!this.#options.failPoints || !this.#random.chance(probability)) return undefined;
    // the short form runs the sources and has no time for large changes
    const kinds = Object.keys(FAIL_POINTS).filter((name) => !this.#options.fromSource || !IN_LARGE.has(name));
    const kind = this.#random.pick(kinds);
    return `${kind}:${this.#random.pick(["before", "after"])}:${this.#random.integer(1, FAIL_POINTS[kind]!)}${armed ? ARMED : ""}`;
  }

  #newServer(failPoint: string | undefined): Server {
    return new Server({
      dataDir: this.dataDir,
      sources: this.#sources,
      failPoint,
      fromSource: this.#options.fromSource ?? false,
    });
  }

  /** Starts the server until it is ready; if it dies at a fail point, it is started again without one. */
  async #start(failPoint?: string): Promise<void> {
    const server = this.#newServer(failPoint);
    this.#server = server;
    this.#isArmed = failPoint?.endsWith(ARMED) ?? false;
    this.#isInLarge = this.#isArmed && IN_LARGE.has(failPoint?.split(":")[0] ?? "");
    const port = await server.ready();
    if (port === undefined) {
      if (!this.#noteHit(server)) this.complain(`does not start: ${server.errors}`);
      if (failPoint === undefined) throw new Error(`the server does not start: ${server.errors}`);
      return this.#start();
    }
    this.#port = port;
    for (const caller of this.#callers) caller.connect(port);
  }

  #noteHit(server: Server): boolean {
    // the last output of a child process is in the server's log
    const hit = HIT.exec([server.errors, ...server.logged(WARN)].join("\n"))?.[1];
    if (hit) this.hits.set(hit, (this.hits.get(hit) ?? 0) + 1);
    return hit !== undefined;
  }

  async #work(): Promise<void> {
    const server = this.#server!;
    if (this.#isArmed) server.signal("SIGUSR2");
    let isEnding = false;
    let hasEnded = false;
    void server.ended.then(() => {
      hasEnded = true;
    });
    const isOver = () => isEnding || hasEnded;
    // connections break before the end of the process is reported
    const dies = async () => {
      if (!isOver()) await Promise.race([pause(DEATH_LIMIT_MS), server.ended]);
      return isOver();
    };
    if (this.#isInLarge) for (const tree of this.#trees) tree.beginLarge();
    const callers = this.#callers.map((caller) => caller.work(isOver, dies));
    const armedLimit = this.#isInLarge ? LARGE_LIMIT_MS : ARMED_LIMIT_MS;
    const limit = this.#isArmed ? armedLimit : this.#random.integer(80, 1200);
    const killing = this.#random.chance(0.5) ? this.#killChildren(server, isOver) : undefined;
    await Promise.race([pause(limit), server.ended]);
    isEnding = true;
    await killing;
    await this.#end(server);
    await Promise.all(callers);
  }

  /** Kills child processes at random times; the server must cope with that. */
  async #killChildren(server: Server, isOver: () => boolean): Promise<void> {
    for (let kills = 0; !isOver(); ) {
      const child = this.#random.pick(server.children);
      if (child !== undefined) {
        server.killChild(child);
        this.hits.set("child", (this.hits.get("child") ?? 0) + 1);
        kills++;
      }
      const isRest = child !== undefined && kills % KILLS_IN_A_ROW === 0;
      await Promise.race([
        pause(isRest ? CHILD_REST_MS : this.#random.integer(...CHILD_KILL_PAUSE_MS)),
        server.ended,
      ]);
    }
  }

  async #end(server: Server): Promise<void> {
    if (server.running && this.#random.chance(0.1)) {
      const complaint = await server.stop();
      // code that runs during shutdown contains fail points too
      if (complaint && !HIT.test(server.errors)) this.complain(complaint);
    } else await server.kill();
    this.#noteHit(server);
    for (const line of server.logged(FATAL)) this.complain(line);
  }

  /** Starts the server, which is sometimes killed during the start or while it works through its queues. */
  async #recover(): Promise<void> {
    for (let kills = 0; kills < MAX_KILLS_PER_CYCLE; kills++) {
      if (this.#random.chance(0.15)) {
        const server = this.#newServer(undefined);
        await pause(this.#random.integer(0, 900));
        await server.kill();
      } else if (this.#random.chance(0.2)) {
        await this.#start(this.#failPoint(0.7, false));
        await Promise.race([pause(this.#random.integer(0, 400)), this.#server!.ended]);
        await this.#end(this.#server!);
      } else break;
    }
    await this.#start(this.#failPoint(0.75, true));
  }

  async #check(everything: boolean): Promise<void> {
    const known = this.violations.length;
    await this.#drain();
    await Promise.all([
      ...this.#trees.map((tree) => tree.check(everything)),
      ...this.#talkers.map((talker) => talker.check()),
      this.#skills?.check(),
      this.#remote?.check(),
      this.#watcher?.check(),
      this.#sharer?.check(),
      this.#planner?.check(),
      this.#admin.check(),
    ]);
    // it waits for the queues, and searches the disk after all other callers have finished
    await this.#forgetful?.check();
    for (const line of this.#server?.logged(FATAL) ?? []) this.complain(line);
    // the answer to an internal error does not contain the cause
    if (this.violations.length > known)
      for (const line of this.#server?.logged(ERROR) ?? []) this.#options.say(`  server: ${line}`);
  }

  async #drain(): Promise<void> {
    const rest = new Rest(this.#port, { "x-api-key": ROOT_KEY });
    const answer = await rest.post(
      "/api/v1/system/wait",
      { timeout: DRAIN_LIMIT_SECONDS },
      DRAIN_LIMIT_SECONDS * 1000,
    );
    rest.close();
    const {
      errors = 0,
      pending,
      in_progress,
      semantic_queue,
    } = (answer.result ?? {}) as {
      errors?: number;
      pending?: number;
      in_progress?: number;
      semantic_queue?: { errors: { message: string }[] };
    };
    // if the server was killed before answering, the queue reports that a page is gone
    const expected =
      semantic_queue?.errors.filter(({ message }) => this.#remote?.isOfGone(message)).length ?? 0;
    if (!isOk(answer) || errors > expected || pending || in_progress)
      this.complain(`system/wait: ${say(answer)}`);
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
