import { find, isAmong } from "./observe.ts";
import { Caller, type Operation } from "./operation.ts";
import type { Random } from "./random.ts";
import { type Answer, isOk, Rest, say } from "./rest.ts";
import { ROOT_KEY } from "./server.ts";
import { type Text, text } from "./texts.ts";

const ACCOUNTS = ["born-again-0", "born-again-1", "born-again-2"];
const USERS = ["ann", "bob", "cid", "dan"];
const DEAD_KEYS_ASKED = 10;
const KINDS = ["version_days", "trash_days", "task_days", "session_days", "audit_days"];

interface User {
  readonly role: string;
  /** Undefined if the answer that contained it never arrived. */
  readonly key: string | undefined;
}

interface Account {
  readonly users: ReadonlyMap<string, User>;
  /** Contents by URI, which a later account or user of the same name must not inherit. */
  readonly notes: ReadonlyMap<string, Text>;
  /** Days by kind; absent where the server's setting applies. */
  readonly retention: ReadonlyMap<string, number>;
}

type Accounts = ReadonlyMap<string, Account>;
type AdminOperation = Operation<Accounts>;

interface SeenAccount {
  /** Roles by id. */
  readonly users: ReadonlyMap<string, string>;
  readonly notes: ReadonlyMap<string, string>;
  readonly retention: ReadonlyMap<string, number>;
}

interface Seen {
  readonly accounts: ReadonlyMap<string, SeenAccount>;
  /** Keys that authenticate their owner in the model's role. */
  readonly keys: ReadonlyMap<string, string>;
}

/** A root caller that creates and removes accounts, users and keys whose names are reused. */
export class AdminCaller extends Caller<Accounts> {
  state: Accounts = new Map();
  readonly #random: Random;
  #port = 0;
  #rest = new Rest(0, {});
  readonly #dead: string[] = [];

  constructor(random: Random, complain: (what: string) => void) {
    super("root", complain);
    this.#random = random;
  }

  connect(port: number): void {
    this.#rest.close();
    this.#port = port;
    this.#rest = new Rest(port, { "x-api-key": ROOT_KEY });
  }

  close(): void {
    this.#rest.close();
  }

  choose(): AdminOperation | undefined {
    const kinds = [
      () => this.#create(),
      () => this.#register(),
      () => this.#register(),
      () => this.#note(),
      () => this.#note(),
      () => this.#newKey(),
    ];
    return this.#random.pick([
      ...kinds,
      () => this.#newRole(),
      () => this.#setQuotas(),
      () => this.#removeUser(),
      () => this.#removeAccount(),
    ])();
  }

  #account = (): [string, Account] | undefined => this.#random.pick([...this.state]);

  #with(name: string, change: Partial<Account>): Accounts {
    const before = this.state.get(name) ?? { users: new Map(), notes: new Map(), retention: new Map() };
    return new Map(this.state).set(name, { ...before, ...change });
  }

  #create(): AdminOperation | undefined {
    const name = ACCOUNTS.find((known) => !this.state.has(known));
    if (!name) return undefined;
    const send = () => this.#rest.post("/api/v1/admin/accounts", { account_id: name, admin_user_id: "boss" });
    return {
      name: `new account ${name}`,
      send,
      after: (answer) =>
        this.#with(name, {
          users: new Map([["boss", { role: "admin", key: keyOf(answer) }]]),
          notes: new Map(),
          retention: new Map(),
        }),
    };
  }

  /** Replaces the retention with one that is longer than the test, or none. */
  #setQuotas(): AdminOperation | undefined {
    const [name] = this.#account() ?? [];
    if (!name) return undefined;
    const named = KINDS.filter(() => this.#random.chance(0.5));
    const retention = new Map(named.map((kind) => [kind, this.#random.pick([1, 30, 365])]));
    const send = () =>
      this.#rest.send(
        "PUT",
        `/api/v1/admin/accounts/${name}/quotas`,
        { "content-type": "application/json" },
        JSON.stringify(Object.fromEntries(retention)),
      );
    return { name: `quotas of ${name}`, send, after: () => this.#with(name, { retention }) };
  }

  #removeAccount(): AdminOperation | undefined {
    const [name, account] = this.#account() ?? [];
    if (!name || !account || this.#random.chance(0.5)) return undefined;
    const after = new Map([...this.state].filter(([known]) => known !== name));
    const done = () => this.#bury(...account.users.values());
    return {
      name: `delete account ${name}`,
      send: () => this.#rest.send("DELETE", `/api/v1/admin/accounts/${name}`),
      after: () => after,
      done,
    };
  }

  #register(): AdminOperation | undefined {
    const [name, account] = this.#account() ?? [];
    const user = USERS.find((known) => !account?.users.has(known));
    if (!name || !account || !user) return undefined;
    const role = this.#random.pick(["user", "admin"]);
    const send = () => this.#rest.post(`/api/v1/admin/accounts/${name}/users`, { user_id: user, role });
    return {
      name: `new user ${name}/${user}`,
      send,
      after: (answer) =>
        this.#with(name, { users: new Map(account.users).set(user, { role, key: keyOf(answer) }) }),
    };
  }

  #chosenUser(): { name: string; account: Account; user: string; facts: User } | undefined {
    const [name, account] = this.#account() ?? [];
    const [user, facts] = account
      ? (this.#random.pick([...account.users].filter(([known]) => known !== "boss")) ?? [])
      : [];
    return name && account && user && facts ? { name, account, user, facts } : undefined;
  }

  #removeUser(): AdminOperation | undefined {
    const chosen = this.#chosenUser();
    if (!chosen) return undefined;
    const { name, account, user, facts } = chosen;
    const users = new Map([...account.users].filter(([known]) => known !== user));
    const notes = new Map([...account.notes].filter(([uri]) => !uri.startsWith(`ctx://user/${user}/`)));
    const send = () => this.#rest.send("DELETE", `/api/v1/admin/accounts/${name}/users/${user}`);
    return {
      name: `delete user ${name}/${user}`,
      send,
      after: () => this.#with(name, { users, notes }),
      done: () => this.#bury(facts),
    };
  }

  #newRole(): AdminOperation | undefined {
    const chosen = this.#chosenUser();
    if (!chosen) return undefined;
    const { name, account, user, facts } = chosen;
    const role = facts.role === "user" ? "admin" : "user";
    const send = () =>
      this.#rest.send(
        "PUT",
        `/api/v1/admin/accounts/${name}/users/${user}/role`,
        { "content-type": "application/json" },
        JSON.stringify({ role }),
      );
    return {
      name: `role of ${name}/${user}`,
      send,
      after: () => this.#with(name, { users: new Map(account.users).set(user, { ...facts, role }) }),
    };
  }

  #newKey(): AdminOperation | undefined {
    const chosen = this.#chosenUser();
    if (!chosen) return undefined;
    const { name, account, user, facts } = chosen;
    const send = () => this.#rest.post(`/api/v1/admin/accounts/${name}/users/${user}/key`);
    const after = (answer: Answer | undefined) =>
      this.#with(name, { users: new Map(account.users).set(user, { ...facts, key: keyOf(answer) }) });
    return { name: `key of ${name}/${user}`, send, after, done: () => this.#bury(facts) };
  }

  #note(): AdminOperation | undefined {
    const [name, account] = this.#account() ?? [];
    const [user] = account ? (this.#random.pick([...account.users]) ?? []) : [];
    if (!name || !account || !user) return undefined;
    const note = text(this.#random);
    const uri = this.#random.chance(0.5)
      ? `ctx://resources/${note.word}.md`
      : `ctx://user/${user}/memories/${note.word}.md`;
    const send = async () => {
      const rest = this.#as(name, user);
      try {
        return await rest.post("/api/v1/content/write", { uri, content: note.content, mode: "create" });
      } finally {
        rest.close();
      }
    };
    return {
      name: `note ${name} ${uri}`,
      send,
      after: () => this.#with(name, { notes: new Map(account.notes).set(uri, note) }),
    };
  }

  #as = (account: string, user: string): Rest =>
    new Rest(this.#port, { "x-api-key": ROOT_KEY, "x-ctx-account": account, "x-ctx-user": user });

  #bury(...users: readonly User[]): void {
    for (const { key } of users) if (key) this.#dead.push(key);
  }

  // --- after a restart

  async check(): Promise<void> {
    const seen = { accounts: await this.#observe(), keys: await this.#askKeys() };
    this.resolve((state) => differences(state, seen));
    for (const [name, { notes }] of this.state) await this.#checkNotes(name, notes);
    for (const key of this.#dead.slice(-DEAD_KEYS_ASKED)) {
      const answer = await this.#status(key);
      if (answer.status !== 401) this.complain(`a key that was taken away answers ${say(answer)}`);
    }
  }

  async #observe(): Promise<Seen["accounts"]> {
    const seen = new Map<string, SeenAccount>();
    const accounts = (await this.#must(this.#rest.get("/api/v1/admin/accounts"))) as { account_id: string }[];
    for (const { account_id } of accounts) {
      if (!ACCOUNTS.includes(account_id)) continue;
      const users = (await this.#must(this.#rest.get(`/api/v1/admin/accounts/${account_id}/users`))) as {
        user_id: string;
        role: string;
      }[];
      const notes = new Map<string, string>();
      for (const user of new Set(["boss", ...USERS])) {
        const rest = this.#as(account_id, user);
        for (const top of ["ctx://resources", `ctx://user/${user}/memories`]) {
          const rows = (await this.#must(rest.get("/api/v1/fs/ls", { uri: top }))) as {
            uri: string;
            isDir: boolean;
          }[];
          for (const { uri, isDir } of rows)
            if (!isDir && !notes.has(uri))
              notes.set(uri, String(await this.#must(rest.get("/api/v1/content/read", { uri }))));
        }
        rest.close();
      }
      const roles = new Map(users.map(({ user_id, role }) => [user_id, role]));
      seen.set(account_id, { users: roles, notes, retention: await this.#retentionOf(account_id) });
    }
    return seen;
  }

  async #retentionOf(account: string): Promise<SeenAccount["retention"]> {
    const answer = this.#rest.get(`/api/v1/admin/accounts/${account}/usage`);
    const { retention = [] } = (await this.#must(answer)) as {
      retention?: { kind: string; days: number; source: string }[];
    };
    return new Map(
      retention.filter(({ source }) => source === "quota").map(({ kind, days }) => [kind, days]),
    );
  }

  async #askKeys(): Promise<Seen["keys"]> {
    const seen = new Map<string, string>();
    for (const { users } of this.state.values()) {
      for (const { key } of users.values()) {
        if (!key) continue;
        const who = (await this.#status(key)).result as
          | { account: string; user: string; role: string }
          | undefined;
        if (who) seen.set(key, `${who.account}/${who.user} ${who.role}`);
      }
    }
    return seen;
  }

  async #checkNotes(account: string, notes: Account["notes"]): Promise<void> {
    const latest = [...notes].at(-1);
    if (!latest) return;
    const [uri, note] = latest;
    const rest = this.#as(account, uri.startsWith("ctx://user/") ? uri.split("/")[3]! : "boss");
    const hits = await find(rest, note.word, (what) => this.complain(what));
    rest.close();
    if (!isAmong(hits, uri, note)) this.complain(`${note.word} does not find ${account} ${uri}`);
  }

  async #status(key: string): Promise<Answer> {
    const rest = new Rest(this.#port, { "x-api-key": key });
    const answer = await rest.get("/api/v1/system/status");
    rest.close();
    return answer;
  }

  async #must(call: Promise<Answer>): Promise<unknown> {
    const answer = await call;
    if (!isOk(answer)) this.complain(say(answer));
    return isOk(answer) ? answer.result : [];
  }
}

const keyOf = (answer: Answer | undefined): string | undefined =>
  (answer?.result as { user_key?: string } | undefined)?.user_key;

function differences(state: Accounts, seen: Seen): string[] {
  const unasked = [...seen.accounts.keys()]
    .filter((name) => !state.has(name))
    .map((name) => `nobody asked for account ${name}`);
  return [...unasked, ...[...state].flatMap(([name, account]) => differencesOf(name, account, seen))];
}

function differencesOf(name: string, { users, notes, retention }: Account, seen: Seen): string[] {
  const there = seen.accounts.get(name);
  if (!there) return [`missing account ${name}`];
  const said: string[] = [];
  for (const [user, { role }] of users)
    if (there.users.get(user) !== role) said.push(`${name}/${user} is ${there.users.get(user)}, not ${role}`);
  for (const [user, { role, key }] of users)
    if (key && seen.keys.get(key) !== `${name}/${user} ${role}`)
      said.push(`the key of ${name}/${user} (${role}) is of ${seen.keys.get(key)}`);
  for (const kind of KINDS)
    if (there.retention.get(kind) !== retention.get(kind))
      said.push(`${kind} of ${name} is ${there.retention.get(kind)}, not ${retention.get(kind)}`);
  for (const user of there.users.keys()) if (!users.has(user)) said.push(`nobody asked for ${name}/${user}`);
  for (const [uri, { content }] of notes)
    if (there.notes.get(uri) !== content)
      said.push(`${name} ${uri} is ${there.notes.has(uri) ? "another" : "missing"}`);
  for (const uri of there.notes.keys())
    if (!notes.has(uri)) said.push(`${name} has ${uri} that nobody wrote`);
  return said;
}
