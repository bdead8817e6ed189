import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Caller, type Operation } from "./operation.ts";
import type { Random } from "./random.ts";
import { isOk, Rest, say } from "./rest.ts";

const TOP = "ctx://resources/planned";
const SCHEDULES = "/api/v1/resources/schedules";
const ROOTS = ["one", "two", "three"];
/** The shortest interval, at which runs become due during a cycle. */
const SECONDS = [60, 3600, 86_400];

interface Planned {
  readonly seconds: number;
  readonly isPaused: boolean;
}

/** Schedules by root. */
type Schedules = ReadonlyMap<string, Planned>;

interface Listed {
  readonly uri: string;
  readonly interval_seconds: number;
  readonly state: string;
  readonly pause_reason?: string;
  readonly last_error?: string;
}

/** Sets, runs, pauses and deletes refresh schedules of unchanging folders. */
export class ScheduleCaller extends Caller<Schedules> {
  state: Schedules = new Map();
  readonly #random: Random;
  readonly #key: string;
  readonly #folder: string;
  #rest = new Rest(0, {});

  constructor(key: string, folder: string, random: Random, complain: (what: string) => void) {
    super("schedules", complain);
    this.#key = key;
    this.#folder = folder;
    this.#random = random;
  }

  /** Imports its folders, once. */
  async begin(port: number): Promise<void> {
    this.connect(port);
    for (const root of ROOTS) {
      const path = join(this.#folder, root);
      await mkdir(path, { recursive: true });
      await writeFile(join(path, "note.md"), `# ${root}`);
      const answer = await this.#rest.post("/api/v1/resources", { path, to: `${TOP}/${root}` });
      if (!isOk(answer)) this.complain(`import of ${root}: ${say(answer)}`);
    }
  }

  connect(port: number): void {
    this.#rest.close();
    this.#rest = new Rest(port, { "x-api-key": this.#key });
  }

  close(): void {
    this.#rest.close();
  }

  choose(): Operation<Schedules> | undefined {
    const root = this.#random.pick(ROOTS);
    const planned = this.state.get(root);
    if (!planned) return this.#set(root, { interval_seconds: this.#random.pick(SECONDS) });
    const others = [
      () => this.#set(root, { interval_seconds: this.#random.pick(SECONDS) }),
      () => this.#set(root, { paused: !planned.isPaused }),
      () => this.#delete(root),
    ];
    const run = () => this.#run(root);
    return this.#random.pick(planned.isPaused ? others : [...others, run, run, run])();
  }

  #set(root: string, change: { interval_seconds?: number; paused?: boolean }): Operation<Schedules> {
    const before = this.state.get(root) ?? { seconds: 0, isPaused: false };
    const { interval_seconds: seconds = before.seconds, paused: isPaused = before.isPaused } = change;
    const after = new Map(this.state).set(root, { seconds, isPaused });
    const body = JSON.stringify({ uri: `${TOP}/${root}`, ...change });
    const headers = { "content-type": "application/json" };
    const send = () => this.#rest.send("PUT", SCHEDULES, headers, body);
    return { name: `schedule ${body}`, send, after: () => after };
  }

  #run(root: string): Operation<Schedules> {
    const send = () => this.#rest.post(`${SCHEDULES}/run`, { uri: `${TOP}/${root}` });
    return { name: `run the schedule of ${root}`, send, after: () => this.state };
  }

  #delete(root: string): Operation<Schedules> {
    const after = new Map(this.state);
    after.delete(root);
    const send = () => this.#rest.send("DELETE", `${SCHEDULES}?uri=${TOP}/${root}`);
    return { name: `delete the schedule of ${root}`, send, after: () => after };
  }

  /** Compares the schedules with the state before or after the call in flight. */
  async check(): Promise<void> {
    const answer = await this.#rest.get(`${SCHEDULES}?uri=${TOP}`);
    if (!isOk(answer)) return this.complain(`the list of schedules: ${say(answer)}`);
    const found = answer.result as readonly Listed[];
    for (const { uri, last_error, pause_reason } of found)
      if (last_error !== undefined) this.complain(`${uri}: a run failed: ${pause_reason ?? last_error}`);
    const lines = found.map((one) => lineOf(one.uri, one.interval_seconds, one.state === "paused")).sort();
    this.resolve((state) => {
      const expected = [...state].map(([root, one]) => lineOf(`${TOP}/${root}`, one.seconds, one.isPaused));
      const wanted = expected.sort();
      return wanted.join("\n") === lines.join("\n")
        ? []
        : [`schedules are ${lines.join("; ")} instead of ${wanted.join("; ")}`];
    });
  }
}

const lineOf = (uri: string, seconds: number, isPaused: boolean): string =>
  `${uri} every ${seconds} s${isPaused ? ", paused" : ""}`;
