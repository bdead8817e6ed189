import { Caller, type Operation } from "./operation.ts";
import type { Random } from "./random.ts";
import { isOk, Rest, say } from "./rest.ts";
import { paragraph } from "./texts.ts";

const MAX_SESSIONS = 4;
const DELETED_ASKED = 3;

interface Session {
  /** Message texts by archive, in order. */
  readonly archives: readonly (readonly string[])[];
  readonly buffer: readonly string[];
}

type Sessions = ReadonlyMap<string, Session>;
type SessionOperation = Operation<Sessions>;

/** A user who adds messages to sessions, commits the sessions and deletes them. */
export class SessionCaller extends Caller<Sessions> {
  state: Sessions = new Map();
  readonly #random: Random;
  readonly #user: string;
  readonly #key: string;
  readonly #deleted: string[] = [];
  #rest = new Rest(0, {});
  #serial = 0;

  constructor(user: string, key: string, random: Random, complain: (what: string) => void) {
    super(`sessions of ${user}`, complain);
    this.#user = user;
    this.#key = key;
    this.#random = random;
  }

  connect(port: number): void {
    this.#rest.close();
    this.#rest = new Rest(port, { "x-api-key": this.#key });
  }

  close(): void {
    this.#rest.close();
  }

  choose(): SessionOperation | undefined {
    const ids = [...this.state.keys()];
    if (ids.length === 0 || (ids.length < MAX_SESSIONS && this.#random.chance(0.05))) return this.#create();
    const id = this.#random.pick(ids);
    const chance = this.#random.next();
    if (chance < 0.02) return this.#delete(id);
    if (chance < 0.12) return this.#commit(id);
    return chance < 0.18 ? this.#use(id) : this.#say(id);
  }

  #create(): SessionOperation {
    const id = `s${this.#serial++}`;
    const after = () => new Map(this.state).set(id, { archives: [], buffer: [] });
    return {
      name: `create ${id}`,
      send: () => this.#rest.post("/api/v1/sessions", { session_id: id }),
      after,
    };
  }

  #say(id: string): SessionOperation {
    const text = `${this.#serial++} ${paragraph(this.#random, 20)}`;
    const { archives, buffer } = this.state.get(id)!;
    const part = this.#random.chance(0.3) ? [{ type: "tool", tool_id: this.#random.word() }] : [];
    const body = { role: this.#random.pick(["user", "assistant"]), parts: [{ type: "text", text }, ...part] };
    return {
      name: `message ${text.slice(0, 12)} to ${id}`,
      send: () => this.#rest.post(`/api/v1/sessions/${id}/messages`, body),
      after: () => new Map(this.state).set(id, { archives, buffer: [...buffer, text] }),
    };
  }

  #use(id: string): SessionOperation {
    const contexts = [`ctx://resources/of-${this.#user}`, `ctx://resources/${this.#random.word()}`];
    return {
      name: `used in ${id}`,
      send: () => this.#rest.post(`/api/v1/sessions/${id}/used`, { contexts }),
      after: () => this.state,
    };
  }

  #commit(id: string): SessionOperation {
    const { archives, buffer } = this.state.get(id)!;
    const after: Session =
      buffer.length === 0 ? { archives, buffer } : { archives: [...archives, buffer], buffer: [] };
    return {
      name: `commit ${id}`,
      send: () => this.#rest.post(`/api/v1/sessions/${id}/commit`, { wait: this.#random.chance(0.5) }),
      after: () => new Map(this.state).set(id, after),
    };
  }

  #delete(id: string): SessionOperation {
    return {
      name: `delete ${id}`,
      send: () => this.#rest.send("DELETE", `/api/v1/sessions/${id}`),
      after: () => new Map([...this.state].filter(([known]) => known !== id)),
      done: () => void this.#deleted.push(id),
    };
  }

  /**
   * Compares everything that exists with what was acknowledged. Layers are complete once the queues are
   * empty.
   */
  async check(): Promise<void> {
    const seen = await this.#observe();
    this.resolve((expected) => differences(expected, seen));
    for (const id of this.#random.sample(this.#deleted, DELETED_ASKED)) {
      const answer = await this.#rest.post(`/api/v1/sessions/${id}/messages`, { role: "user", content: "x" });
      if (answer.error?.code !== "SESSION_EXPIRED")
        this.complain(`a message to the deleted ${id}: ${say(answer)}`);
    }
  }

  async #observe(): Promise<Sessions> {
    const listed = await this.#must<{ session_id: string; message_count: number }[]>("/api/v1/sessions", {
      limit: 1000,
    });
    const seen = new Map<string, Session>();
    for (const { session_id: id, message_count: count } of listed) {
      const uri = `ctx://session/${this.#user}/${id}`;
      const folders = await this.#must<string[]>("/api/v1/fs/ls", { uri: `${uri}/history`, simple: "true" });
      const archives: string[][] = [];
      for (const folder of folders) {
        archives.push(await this.#said(folder));
        const abstract = await this.#must<string>("/api/v1/content/abstract", { uri: folder });
        if (abstract === "") this.complain(`${folder} has no abstract`);
      }
      const buffer = await this.#said(uri);
      if (buffer.length !== count) this.complain(`${id} counts ${count} messages and shows ${buffer.length}`);
      seen.set(id, { archives, buffer });
    }
    return seen;
  }

  async #said(folder: string): Promise<string[]> {
    const lines = await this.#must<string>("/api/v1/content/read", { uri: `${folder}/messages.jsonl` });
    const messages = lines.split("\n").filter((line) => line !== "");
    return messages.map((line) => (JSON.parse(line) as { parts: { text: string }[] }).parts[0]!.text);
  }

  async #must<T>(path: string, query: Readonly<Record<string, string | number>>): Promise<T> {
    const answer = await this.#rest.get(path, query);
    if (!isOk(answer)) throw new Error(`${path} ${JSON.stringify(query)}: ${say(answer)}`);
    return answer.result as T;
  }
}

function differences(expected: Sessions, seen: Sessions): string[] {
  const said: string[] = [];
  for (const [id, session] of expected) {
    const found = seen.get(id);
    if (!found) said.push(`missing ${id}`);
    else if (JSON.stringify(found) !== JSON.stringify(session))
      said.push(`${id} holds ${counts(found)} instead of ${counts(session)} messages`);
  }
  for (const id of seen.keys()) if (!expected.has(id)) said.push(`nobody asked for ${id}`);
  return said;
}

const counts = ({ archives, buffer }: Session): string =>
  `${archives.map((archive) => archive.length).join("+")}|${buffer.length}`;
