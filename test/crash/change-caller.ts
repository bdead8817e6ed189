import { CHANGE_WIRES, Watcher } from "../support/change-watcher.ts";
import { Caller, type Operation } from "./operation.ts";
import type { Random } from "./random.ts";
import { type Answer, isOk, NoAnswer, Rest, say } from "./rest.ts";

const TOP = "ctx://resources/watched";
const KINDS = ["added", "changed", "moved", "removed"];
const MAX_FILES = 20;
const PAGE = 100;
const [, OVER_SSE] = CHANGE_WIRES.find(([name]) => name === "Server-Sent Events")!;

type Lines = readonly string[];

/**
 * A user that changes files and reads the stream of these changes. After each kill it continues from its
 * cursor: every acknowledged change must arrive exactly once and in order.
 */
export class ChangeCaller extends Caller<Lines> {
  /** The changes since the last check. */
  state: Lines = [];
  readonly #random: Random;
  readonly #headers: Record<string, string>;
  readonly #files = new Set<string>();
  #seen: string[] = [];
  #cursor = "";
  #port = 0;
  #rest: Rest;
  #serial = 0;

  constructor(key: string, random: Random, complain: (what: string) => void) {
    super("watcher", complain);
    this.#random = random;
    this.#headers = { "x-api-key": key };
    this.#rest = new Rest(0, this.#headers);
  }

  connect(port: number): void {
    this.#rest.close();
    this.#port = port;
    this.#rest = new Rest(port, this.#headers);
  }

  async begin(port: number): Promise<void> {
    this.connect(port);
    const made = await this.#rest.post("/api/v1/fs/mkdir", { uri: TOP });
    if (!isOk(made)) throw new Error(`mkdir ${TOP}: ${say(made)}`);
    this.#cursor = ((await this.#page({ begin: "now" })).result as { cursor: string }).cursor;
  }

  choose(): Operation<Lines> {
    const uri = this.#files.size === 0 ? undefined : this.#random.pick([...this.#files]);
    const isNew = uri === undefined || (this.#files.size < MAX_FILES && this.#random.chance(0.4));
    if (isNew) return this.#create();
    const what = this.#random.pick(["replace", "move", "remove"]);
    if (what === "replace") return this.#write(uri, "replace", `changed ${uri}`);
    return what === "move" ? this.#move(uri) : this.#remove(uri);
  }

  override async work(isStopped: () => boolean, isEnding: () => Promise<boolean>): Promise<void> {
    const watcher = new Watcher(
      OVER_SSE,
      `http://127.0.0.1:${this.#port}`,
      { uri: TOP, kinds: KINDS, cursor: this.#cursor },
      this.#headers,
    );
    const following = this.#follow(watcher);
    await super.work(isStopped, isEnding);
    await watcher.leave();
    await following;
  }

  async check(): Promise<void> {
    try {
      for (let hasMore = true; hasMore; ) {
        const answer = await this.#page({ cursor: this.#cursor });
        if (!isOk(answer)) return this.complain(`changes/list: ${say(answer)}`);
        const { changes, cursor, has_more } = answer.result as {
          changes: { kind: string; uri: string; previous_uri?: string }[];
          cursor: string;
          has_more: boolean;
        };
        for (const { kind, uri, previous_uri } of changes) this.#note(kind, uri, previous_uri);
        this.#cursor = cursor;
        hasMore = has_more;
      }
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return this.complain(`changes/list: ${error.message}`);
    }
    this.resolve((expected) => differences(expected, this.#seen));
    this.state = [];
    this.#seen = [];
  }

  close(): void {
    this.#rest.close();
  }

  /** Reads until the server is gone or the stream is cancelled. */
  async #follow(watcher: Watcher): Promise<void> {
    try {
      for (let event = await watcher.next(); event; event = await watcher.next()) {
        if (event.change) this.#note(event.change.kind, event.change.uri, event.change.previousUri);
        this.#cursor = event.cursor;
      }
    } catch (failure) {
      if (failure === "FAILED_PRECONDITION" || failure === "INVALID_ARGUMENT")
        this.complain(`stream: ${failure}`);
    }
  }

  #note(kind: string, uri: string, previous: string | undefined): void {
    this.#seen.push(previous === undefined ? `${kind} ${uri}` : `${kind} ${previous} ${uri}`);
  }

  #page(more: { readonly begin?: string; readonly cursor?: string }): Promise<Answer> {
    const query = new URLSearchParams({ uri: TOP, limit: String(PAGE), ...more });
    for (const kind of KINDS) query.append("kinds", kind);
    return this.#rest.send("GET", `/api/v1/changes/list?${query}`);
  }

  #create(): Operation<Lines> {
    const uri = this.#newUri();
    return this.#write(uri, "create", `added ${uri}`);
  }

  #write(uri: string, mode: string, line: string): Operation<Lines> {
    const content = `number ${this.#serial++}`;
    return {
      name: `${mode} ${uri}`,
      send: () => this.#rest.post("/api/v1/content/write", { uri, content, mode }),
      after: () => [...this.state, line],
      done: () => void this.#files.add(uri),
    };
  }

  #move(from: string): Operation<Lines> {
    const to = this.#newUri();
    return {
      name: `mv ${from} ${to}`,
      send: () => this.#rest.post("/api/v1/fs/mv", { from_uri: from, to_uri: to }),
      after: () => [...this.state, `moved ${from} ${to}`],
      done: () => {
        this.#files.delete(from);
        this.#files.add(to);
      },
    };
  }

  #remove(uri: string): Operation<Lines> {
    return {
      name: `rm ${uri}`,
      send: () => this.#rest.send("DELETE", `/api/v1/fs?uri=${encodeURIComponent(uri)}`),
      after: () => [...this.state, `removed ${uri}`],
      done: () => void this.#files.delete(uri),
    };
  }

  #newUri(): string {
    return `${TOP}/${this.#serial++}.md`;
  }
}

function differences(expected: Lines, seen: Lines): string[] {
  const at = expected.findIndex((line, i) => line !== seen[i]);
  if (at < 0 && expected.length === seen.length) return [];
  const first = at < 0 ? expected.length : at;
  return [`change ${first}: ${seen[first] ?? "nothing"} instead of ${expected[first] ?? "nothing"}`];
}
