import { Caller, type Operation } from "./operation.ts";
import type { Random } from "./random.ts";
import { type Answer, isOk, Rest, say } from "./rest.ts";
import { ROOT_KEY } from "./server.ts";

const ACCOUNT = "sharing";
const USERS = ["ann", "bob", "cid"];
const GROUPS = ["one", "two"];
const FOLDERS = ["ctx://resources/a", "ctx://resources/a/b", "ctx://resources/c"];
const KEYS = ["laptop", "phone"];
const LEVELS = ["read", "write", "admin"];

interface Shared {
  readonly users: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** Members by group. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** `effect level` by `URI grantee`. */
  readonly grants: ReadonlyMap<string, string>;
  /** `user name` of each additional API key. */
  readonly keys: ReadonlySet<string>;
}

type SharingOperation = Operation<Shared>;

/**
 * Changes grants, groups and API keys of one account, whose users, groups and folders are removed and created
 * again.
 */
export class SharingCaller extends Caller<Shared> {
  state: Shared = {
    users: new Set(),
    folders: new Set(),
    groups: new Map(),
    grants: new Map(),
    keys: new Set(),
  };
  readonly #random: Random;
  #rest = new Rest(0, {});

  constructor(random: Random, complain: (what: string) => void) {
    super("sharing", complain);
    this.#random = random;
  }

  /** Creates the account, once. */
  async begin(port: number): Promise<void> {
    const root = new Rest(port, { "x-api-key": ROOT_KEY });
    const account = { account_id: ACCOUNT, admin_user_id: "boss" };
    const made = await root.post("/api/v1/admin/accounts", account);
    root.close();
    this.connect(port);
    if (!isOk(made)) this.complain(`account: ${say(made)}`);
  }

  connect(port: number): void {
    this.#rest.close();
    const headers = { "x-api-key": ROOT_KEY, "x-ctx-account": ACCOUNT, "x-ctx-user": "boss" };
    this.#rest = new Rest(port, headers);
  }

  close(): void {
    this.#rest.close();
  }

  choose(): SharingOperation | undefined {
    const kinds = [
      () => this.#user(),
      () => this.#folder(),
      () => this.#group(),
      () => this.#member(),
      () => this.#member(),
      () => this.#key(),
    ];
    const grants = Array.from({ length: 4 }, () => () => this.#grant());
    return this.#random.pick([...kinds, ...grants, () => this.#revoke()])();
  }

  #with = (change: Partial<Shared>): Shared => ({ ...this.state, ...change });

  #without = (isGone: (key: string) => boolean): Shared["grants"] =>
    new Map([...this.state.grants].filter(([key]) => !isGone(key)));

  /** Registers a user, or removes it with its memberships, keys and grants. */
  #user(): SharingOperation {
    const user = this.#random.pick(USERS);
    const users = new Set(this.state.users);
    const path = `/api/v1/admin/accounts/${ACCOUNT}/users`;
    if (!users.has(user)) {
      users.add(user);
      const send = () => this.#rest.post(path, { user_id: user });
      return { name: `new user ${user}`, send, after: () => this.#with({ users }) };
    }
    users.delete(user);
    const left = [...this.state.groups].map(
      ([group, members]) => [group, members.filter((one) => one !== user)] as const,
    );
    const after = this.#with({
      users,
      groups: new Map(left),
      grants: this.#without((key) => key.endsWith(` user:${user}`)),
      keys: new Set([...this.state.keys].filter((key) => !key.startsWith(`${user} `))),
    });
    const send = () => this.#rest.send("DELETE", `${path}/${user}`);
    return { name: `delete user ${user}`, send, after: () => after };
  }

  /** Creates a folder with its missing parents, or removes it with everything below it. */
  #folder(): SharingOperation {
    const uri = this.#random.pick(FOLDERS);
    const isWithin = (one: string, folder: string) => one === folder || one.startsWith(`${folder}/`);
    if (!this.state.folders.has(uri)) {
      const folders = new Set([...this.state.folders, ...FOLDERS.filter((one) => isWithin(uri, one))]);
      const send = () => this.#rest.post("/api/v1/fs/mkdir", { uri });
      return { name: `mkdir ${uri}`, send, after: () => this.#with({ folders }) };
    }
    const after = this.#with({
      folders: new Set([...this.state.folders].filter((one) => !isWithin(one, uri))),
      grants: this.#without((key) => isWithin(key.split(" ")[0] ?? "", uri)),
    });
    const path = `/api/v1/fs?${new URLSearchParams({ uri, recursive: "true" })}`;
    return { name: `rm ${uri}`, send: () => this.#rest.send("DELETE", path), after: () => after };
  }

  /** Creates a group, or deletes it with the grants to it. */
  #group(): SharingOperation {
    const group = this.#random.pick(GROUPS);
    const groups = new Map(this.state.groups);
    const path = `/api/v1/admin/accounts/${ACCOUNT}/groups`;
    if (!groups.has(group)) {
      groups.set(group, []);
      const send = () => this.#rest.post(path, { group_id: group });
      return { name: `new group ${group}`, send, after: () => this.#with({ groups }) };
    }
    groups.delete(group);
    const after = this.#with({ groups, grants: this.#without((key) => key.endsWith(` group:${group}`)) });
    const send = () => this.#rest.send("DELETE", `${path}/${group}`);
    return { name: `delete group ${group}`, send, after: () => after };
  }

  /** Adds a user to a group or removes it. */
  #member(): SharingOperation | undefined {
    const group = this.#random.pick([...this.state.groups.keys()]);
    const user = this.#random.pick([...this.state.users]);
    if (group === undefined || user === undefined) return undefined;
    const before = this.state.groups.get(group) ?? [];
    const isMember = before.includes(user);
    const members = isMember ? before.filter((one) => one !== user) : [...before, user].sort();
    const groups = new Map(this.state.groups).set(group, members);
    const path = `/api/v1/admin/accounts/${ACCOUNT}/groups/${group}/members/${user}`;
    const send = () => this.#rest.send(isMember ? "DELETE" : "PUT", path);
    return { name: `member ${group} ${user}`, send, after: () => this.#with({ groups }) };
  }

  /** Creates an additional API key, or revokes it. */
  #key(): SharingOperation | undefined {
    const user = this.#random.pick([...this.state.users]);
    if (user === undefined) return undefined;
    const name = this.#random.pick(KEYS);
    const key = `${user} ${name}`;
    const keys = new Set(this.state.keys);
    const path = `/api/v1/admin/accounts/${ACCOUNT}/users/${user}/keys`;
    const isThere = keys.delete(key);
    if (!isThere) keys.add(key);
    const send = () =>
      isThere ? this.#rest.send("DELETE", `${path}/${name}`) : this.#rest.post(path, { name });
    return { name: `${isThere ? "revoke" : "new"} key ${key}`, send, after: () => this.#with({ keys }) };
  }

  #grant(): SharingOperation | undefined {
    const uri = this.#random.pick([...this.state.folders]);
    if (uri === undefined) return undefined;
    const grantees = [
      "everyone",
      "agent:robot",
      ...[...this.state.groups.keys()].map((group) => `group:${group}`),
      ...[...this.state.users].map((user) => `user:${user}`),
    ];
    const to = this.#random.pick(grantees);
    const [grantee_type, grantee_id = ""] = to.split(":");
    const level = this.#random.pick(LEVELS);
    const effect = this.#random.pick(["allow", "deny"]);
    const grants = new Map(this.state.grants).set(`${uri} ${to}`, `${effect} ${level}`);
    const body = { uri, grantee_type, grantee_id, level, effect };
    const send = () => this.#rest.post("/api/v1/access/grants", body);
    return { name: `grant ${uri} ${to} ${effect} ${level}`, send, after: () => this.#with({ grants }) };
  }

  #revoke(): SharingOperation | undefined {
    const key = this.#random.pick([...this.state.grants.keys()]);
    if (key === undefined) return undefined;
    const [uri = "", to = ""] = key.split(" ");
    const [grantee_type, grantee_id = ""] = to.split(":");
    const send = () => this.#rest.post("/api/v1/access/revoke", { uri, grantee_type, grantee_id });
    return {
      name: `revoke ${key}`,
      send,
      after: () => this.#with({ grants: this.#without((one) => one === key) }),
    };
  }

  // --- after a restart

  async check(): Promise<void> {
    const groups = (await this.#must(this.#rest.get(`/api/v1/admin/accounts/${ACCOUNT}/groups`))) as {
      group_id: string;
      members: string[];
    }[];
    const { grants = [] } = (await this.#must(
      this.#rest.get("/api/v1/access/grants", { limit: "2000" }),
    )) as {
      grants?: { uri: string; grantee_type: string; grantee_id: string; effect: string; level: string }[];
    };
    const users = (await this.#must(this.#rest.get(`/api/v1/admin/accounts/${ACCOUNT}/users`))) as {
      user_id: string;
    }[];
    const keys: string[] = [];
    for (const { user_id } of users) {
      const path = `/api/v1/admin/accounts/${ACCOUNT}/users/${user_id}/keys`;
      const listed = (await this.#must(this.#rest.get(path))) as { name: string }[];
      keys.push(...listed.map(({ name }) => `${user_id} ${name}`));
    }
    const folders: string[] = [];
    for (const uri of FOLDERS) {
      const answer = await this.#rest.get("/api/v1/fs/stat", { uri });
      if (isOk(answer)) folders.push(uri);
      else if (answer.status !== 404) this.complain(say(answer));
    }
    const seen = textsOf(
      folders,
      users.map(({ user_id }) => user_id).filter((user) => user !== "boss"),
      groups.map(({ group_id, members }) => [group_id, members]),
      grants.map(({ uri, grantee_type, grantee_id, effect, level }) => [
        `${uri} ${grantee_id === "" ? grantee_type : `${grantee_type}:${grantee_id}`}`,
        `${effect} ${level}`,
      ]),
      keys.filter((key) => !key.endsWith(" main")),
    );
    this.resolve((state) => {
      const wanted = textsOf(
        [...state.folders],
        [...state.users],
        [...state.groups],
        [...state.grants],
        [...state.keys],
      );
      return [
        ...[...wanted].filter((one) => !seen.has(one)).map((one) => `missing ${one}`),
        ...[...seen].filter((one) => !wanted.has(one)).map((one) => `nobody asked for ${one}`),
      ];
    });
  }

  async #must(call: Promise<Answer>): Promise<unknown> {
    const answer = await call;
    if (!isOk(answer)) this.complain(say(answer));
    return isOk(answer) ? answer.result : [];
  }
}

const textsOf = (
  folders: readonly string[],
  users: readonly string[],
  groups: readonly (readonly [string, readonly string[]])[],
  grants: readonly (readonly [string, string])[],
  keys: readonly string[],
): Set<string> =>
  new Set([
    ...folders.map((uri) => `folder ${uri}`),
    ...users.map((user) => `user ${user}`),
    ...groups.map(([group, members]) => `group ${group} ${[...members].sort().join()}`),
    ...grants.map(([key, rule]) => `grant ${key} ${rule}`),
    ...keys.map((key) => `key ${key}`),
  ]);
