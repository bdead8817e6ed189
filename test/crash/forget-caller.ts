import { filesWith } from "../support/words-on-disk.ts";
import { Caller, type Operation } from "./operation.ts";
import type { Random } from "./random.ts";
import { isOk, Rest, say } from "./rest.ts";

const MAX_SESSIONS = 3;
const FORGOTTEN = "[forgotten]";
const THINGS = ["garage", "cellar", "attic", "stable", "harbour", "tower"] as const;
/** Time limit in seconds for clearing the disk, which waits for other jobs and for readers of its files. */
const CLEAR_LIMIT_SECONDS = 300;
const A = "a".charCodeAt(0);
const LETTERS = 14;
/** Number of forgotten secrets that are searched for on the disk: the newest, and some others. */
const NEWEST = 12;
const OTHERS = 4;

interface Secret {
  readonly session: string;
  /** The message without the sentence that contains the secret. */
  readonly rest: string;
  readonly sentence: string;
  readonly isCommitted: boolean;
  readonly isForgotten: boolean;
}

/** By the secret word, in the order of the messages. */
type Secrets = ReadonlyMap<string, Secret>;

/**
 * A user who tells one secret per message and has some of them forgotten. Once the queues are empty, the disk
 * must not contain any secret whose forgetting was answered, or was under way when the server died and was
 * requested again. All other messages must still exist.
 */
export class ForgetCaller extends Caller<Secrets> {
  state: Secrets = new Map();
  readonly #random: Random;
  readonly #user: string;
  readonly #key: string;
  readonly #dataDir: string;
  #rest = new Rest(0, {});
  #serial = 0;
  /** The secret whose forgetting has not been answered yet. */
  #forgetting: string | undefined;

  constructor(user: string, key: string, dataDir: string, random: Random, complain: (what: string) => void) {
    super(`secrets of ${user}`, complain);
    this.#user = user;
    this.#key = key;
    this.#dataDir = dataDir;
    this.#random = random;
  }

  connect(port: number): void {
    this.#rest.close();
    this.#rest = new Rest(port, { "x-api-key": this.#key });
  }

  close(): void {
    this.#rest.close();
  }

  async begin(port: number): Promise<void> {
    this.connect(port);
    for (let n = 0; n < MAX_SESSIONS; n++) {
      const answer = await this.#rest.post("/api/v1/sessions", { session_id: `secrets${n}` });
      if (!isOk(answer)) throw new Error(`session of ${this.#user}: ${say(answer)}`);
    }
  }

  choose(): Operation<Secrets> {
    const kept = [...this.state].filter(([, { isForgotten }]) => !isForgotten).map(([word]) => word);
    const chance = this.#random.next();
    if (kept.length > 0 && chance < 0.15) return this.#forget(this.#random.pick(kept));
    const session = `secrets${this.#random.integer(0, MAX_SESSIONS - 1)}`;
    return chance < 0.35 ? this.#commit(session) : this.#tell(session);
  }

  #tell(session: string): Operation<Secrets> {
    const word = this.#word();
    this.#serial++;
    const thing = this.#random.pick(THINGS);
    const rest = `The ${thing} was painted on day ${this.#serial}.`;
    const sentence = `Remember that the code of the ${thing} is ${word}.`;
    const secret: Secret = { session, rest, sentence, isCommitted: false, isForgotten: false };
    return {
      name: `tell ${word}`,
      send: () =>
        this.#rest.post(`/api/v1/sessions/${session}/messages`, {
          role: "user",
          content: `${rest} ${sentence}`,
        }),
      after: () => new Map(this.state).set(word, secret),
    };
  }

  /** Made of random letters, so that compression does not hide it. */
  #word(): string {
    return Array.from({ length: LETTERS }, () => String.fromCharCode(A + this.#random.integer(0, 25))).join(
      "",
    );
  }

  #commit(session: string): Operation<Secrets> {
    const after = () =>
      new Map(
        [...this.state].map(([word, secret]) => [
          word,
          secret.session === session ? { ...secret, isCommitted: true } : secret,
        ]),
      );
    return {
      name: `commit ${session}`,
      send: () => this.#rest.post(`/api/v1/sessions/${session}/commit`, { wait: this.#random.chance(0.5) }),
      after,
    };
  }

  #forget(word: string): Operation<Secrets> {
    return {
      name: `forget ${word}`,
      send: () => {
        this.#forgetting = word;
        return this.#rest.post("/api/v1/memories/forget", { query: word });
      },
      after: () => this.#without(word),
      done: () => {
        this.#forgetting = undefined;
      },
    };
  }

  #without(word: string): Secrets {
    const secret = this.state.get(word);
    return secret ? new Map(this.state).set(word, { ...secret, isForgotten: true }) : this.state;
  }

  /** Repeats an unanswered forgetting, then compares the state and searches the disk. */
  async check(): Promise<void> {
    const again = this.#forgetting;
    if (again !== undefined) {
      const answer = await this.#rest.post("/api/v1/memories/forget", { query: again });
      if (!isOk(answer)) this.complain(`forget ${again} again: ${say(answer)}`);
    }
    const waited = await this.#rest.post(
      "/api/v1/system/wait",
      { timeout: CLEAR_LIMIT_SECONDS },
      CLEAR_LIMIT_SECONDS * 1000,
    );
    if (!isOk(waited)) this.complain(`the disk is not cleared: ${say(waited)}`);
    const seen = await this.#messages();
    this.resolve((expected) => differences(expected, seen));
    await this.#checkMemories();
    await this.#searchDisk();
  }

  /** Kept secrets prove that the search finds existing words. */
  async #searchDisk(): Promise<void> {
    const all = [...this.state].reverse();
    const of = (isForgotten: boolean) =>
      all.filter(([, secret]) => secret.isForgotten === isForgotten).map(([word]) => word);
    const [gone, kept] = [of(true), of(false)];
    const asked = [...new Set([...gone.slice(0, NEWEST), ...this.#random.sample(gone, OTHERS)])];
    const control = this.#random.sample(kept, OTHERS);
    const found = await filesWith(this.#dataDir, ...asked, ...control);
    for (const { path, held } of found)
      for (const word of held)
        if (asked.includes(word)) this.complain(`${word} was forgotten and is in ${path}`);
    if (control.length > 0 && !found.some(({ held }) => held.some((word) => control.includes(word))))
      this.complain(`none of the kept ${control.join(", ")} is on the disk`);
  }

  /** Returns the messages of all sessions, sorted. */
  async #messages(): Promise<string[]> {
    const texts: string[] = [];
    for (let n = 0; n < MAX_SESSIONS; n++) {
      const uri = `ctx://session/${this.#user}/secrets${n}`;
      const folders = await this.#must<string[]>("/api/v1/fs/ls", { uri: `${uri}/history`, simple: "true" });
      for (const folder of [...folders, uri]) {
        const lines = await this.#must<string>("/api/v1/content/read", { uri: `${folder}/messages.jsonl` });
        for (const line of lines.split("\n").filter((one) => one !== ""))
          texts.push((JSON.parse(line) as { parts: { text: string }[] }).parts[0]!.text);
      }
    }
    return texts.sort();
  }

  /** Checks that committed messages are remembered and forgotten ones are not. */
  async #checkMemories(): Promise<void> {
    for (const [word, { isCommitted, isForgotten }] of this.state) {
      if (!isCommitted && !isForgotten) continue;
      const found = await this.#must<readonly object[]>("/api/v1/memories", { text: word });
      if (found.length > 0 === isForgotten)
        this.complain(`${word} is ${isForgotten ? "forgotten" : "kept"} and has ${found.length} memories`);
    }
  }

  async #must<T>(path: string, query: Readonly<Record<string, string | number>>): Promise<T> {
    const answer = await this.#rest.get(path, query);
    if (!isOk(answer)) throw new Error(`${path} ${JSON.stringify(query)}: ${say(answer)}`);
    return answer.result as T;
  }
}

function differences(expected: Secrets, seen: readonly string[]): string[] {
  const texts = [...expected.values()].map(
    ({ rest, sentence, isForgotten }) => `${rest} ${isForgotten ? FORGOTTEN : sentence}`,
  );
  const left = new Map<string, number>();
  for (const text of seen) left.set(text, (left.get(text) ?? 0) + 1);
  const missing = texts.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count === 0;
  });
  const more = [...left].filter(([, count]) => count > 0).map(([text]) => text);
  return [...missing.map((text) => `missing "${text}"`), ...more.map((text) => `nobody said "${text}"`)];
}
