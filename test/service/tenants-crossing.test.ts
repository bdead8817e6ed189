import type { DescMethodUnary, JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SERVICES } from "../../src/transport/services.ts";
import { type Client, clientsOf, type Outcome } from "../conformance/wire/clients.ts";
import { genericRequest, type Subjects, subjectFields } from "../support/generic-request.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

/** Words that occur only in the victim's content and names; no request contains them. */
const MARKERS = /xylographyvole|quokkazanzibar/i;
const SECRET = "The walrus keeps xylographyvole under the ice.";

/**
 * Operations without a subject named by the caller, or about data that all users of an account share. They
 * are called, and no answer may contain a marker.
 */
const WITHOUT_SUBJECT: readonly string[] = [
  "AccessService.WhoAmI",
  "AccountService.ListAccounts",
  "BackupService.CreateBackup",
  "BackupService.DeleteBackup",
  "BackupService.ListBackups",
  "BackupService.VerifyBackup",
  "MemoryService.CreateMemory",
  "MemoryService.ListMemories",
  "ObserverService.DrainMember",
  "ObserverService.GetHealth",
  "ObserverService.GetQueue",
  "ObserverService.GetSystem",
  "ObserverService.GetVectordb",
  "ObserverService.GetVlm",
  "ObserverService.ListAudit",
  "ObserverService.ListDeadLetters",
  "ObserverService.ListMembers",
  "ObserverService.ListMetrics",
  "ObserverService.RetryDeadLetter",
  "SessionService.ListSessions",
  "SkillService.DeleteSkill",
  "SkillService.GetSkill",
  "SkillService.ListSkills",
  "SnapshotService.DeleteSnapshot",
  "SnapshotService.GetSnapshot",
  "SnapshotService.ListSnapshots",
  "SystemService.GetStatus",
  "SystemService.WaitProcessed",
  "TaskService.ListTasks",
  "TrashService.EmptyTrash",
  "TrashService.ListTrash",
  "WebhookService.ListWebhooks",
];

/** Answers other than NOT_FOUND, by operation and field. */
const OTHERWISE: Readonly<Record<string, string>> = {
  // the user need not exist: the answer says what a user of that name could do
  "AccessService.ExplainAccess user_id": "OK",
  "SearchService.Find target_uri": "OK",
  "SystemService.GetUsage account_id": "PERMISSION_DENIED",
  "ObserverService.MoveAccount account_id": "PERMISSION_DENIED",
  "SearchService.Search target_uri": "OK",
  "SearchService.Recall target_uri": "OK",
  "SearchService.Recall project": "OK",
  // existence is not checked, and other users' data is not counted
  "SessionService.RecordUsage contexts": "OK",
  "ResourceService.AddResource target": "INVALID_ARGUMENT",
  "ResourceService.AddResource to": "INVALID_ARGUMENT",
  "ResourceService.AddResource parent": "INVALID_ARGUMENT",
};

const METHODS: [name: string, method: DescMethodUnary][] = SERVICES.flatMap(
  (service) => service.methods,
).flatMap((method) =>
  method.methodKind === "unary" ? [[`${method.parent.name}.${method.name}`, method as DescMethodUnary]] : [],
);

/** Another user's session does not reserve its name, so the name is free to use. */
const REACHING = METHODS.filter(([name]) => name !== "SessionService.CreateSession");

interface Crossing {
  readonly field: string;
  readonly kind: keyof Subjects;
  readonly request: JsonObject;
  readonly uri?: string;
}

interface Attacker {
  readonly name: string;
  readonly key: string;
  readonly own: Subjects;
  /** Whether the attacker may administer the requested account. */
  readonly administers: boolean;
}

describe("isolation between tenants", () => {
  let server: Served;
  let clients: Client[];
  let victimKey: string;
  const attackers: Attacker[] = [];
  let theirs: Subjects;
  const missing: Subjects = {
    uri: "ctx://user/vic/memories/never.md",
    session: "never",
    task: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    upload: "0".repeat(48),
    account: "never",
    user: "never",
    memory: "mem_AAAAAAAAAAAAAAAAAAAAAAAA",
    webhook: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    trash: "00000010000zzz",
  };

  async function register(account: string, user: string, role: string): Promise<string> {
    const made = await server.rest(ROOT_KEY, `POST admin/accounts/${account}/users`, { user_id: user, role });
    return (made.result as { user_key: string }).user_key;
  }
  async function upload(key: string, text: string): Promise<string> {
    const form = new FormData();
    form.set("file", new Blob([text]), "f.md");
    return ((await server.rest(key, "POST resources/temp_upload", form)).result as { temp_path: string })
      .temp_path;
  }
  async function subjectsOf(key: string, account: string, user: string, text: string): Promise<Subjects> {
    const uri = `ctx://user/${user}/memories/plain.md`;
    await server.rest(key, "POST content/write", { uri, content: text, mode: "create" });
    const added = await server.rest(key, "POST resources", {
      temp_path: await upload(key, `shared by ${user}`),
      source_name: `of-${account}-${user}.md`,
    });
    const { task_id: task } = added.result as { task_id: string };
    const session = ((await server.rest(key, "POST sessions")).result as { session_id: string }).session_id;
    for (const call of ["messages", "commit", "messages"])
      await server.rest(
        key,
        `POST sessions/${session}/${call}`,
        call === "messages" ? { role: "user", content: text } : {},
      );
    const kept = await server.rest(key, "POST memories", { statement: text, subject: "kept" });
    const { memory_id: memory } = (kept.result as { memory: { memory_id: string } }).memory;
    const hooked = await server.rest(key, "POST webhooks", {
      url: "https://192.0.32.8/",
      description: text,
      // there are none, so nothing is sent
      uri: "ctx://resources/never",
      kinds: ["changed"],
    });
    const { webhook_id: webhook } = (hooked.result as { webhook: { webhook_id: string } }).webhook;
    const removed = `ctx://user/${user}/removed.md`;
    await server.rest(key, "POST content/write", { uri: removed, content: text, mode: "create" });
    const { trash_id: trash } = (await server.rest(key, `DELETE fs?uri=${removed}`)).result as {
      trash_id: string;
    };
    return { uri, session, task, upload: await upload(key, text), account, user, memory, webhook, trash };
  }
  async function join(name: string, account: string, user: string, role: "user" | "admin"): Promise<void> {
    const key = await register(account, user, role);
    const own = await subjectsOf(key, account, user, `of ${user}`);
    attackers.push({ name, key, own, administers: role === "admin" && account === "acme" });
  }

  beforeAll(async () => {
    server = await serve();
    clients = clientsOf(server.port).filter(({ name }) => name === "REST over HTTP/1.1" || name === "gRPC");
    await server.rest(ROOT_KEY, "POST admin/accounts", { account_id: "acme", admin_user_id: "boss" });
    await server.rest(ROOT_KEY, "POST admin/accounts", { account_id: "other", admin_user_id: "boss" });
    victimKey = await register("acme", "vic", "user");
    theirs = await subjectsOf(victimKey, "acme", "vic", SECRET);
    for (const [uri, content] of [
      ["ctx://user/vic/memories/quokkazanzibar.md", SECRET],
      ["ctx://user/vic/quokkazanzibar/deep/a.md", SECRET],
      ["ctx://agent/helper/memories/plain.md", SECRET],
      ["ctx://agent/helper/quokkazanzibar.md", SECRET],
    ]) {
      await server.rest(
        victimKey,
        "POST content/write",
        { uri, content, mode: "create" },
        { "X-Ctx-Agent": "helper" },
      );
    }
    await server.rest(victimKey, "POST fs/mkdir", { uri: "ctx://user/vic/described", description: SECRET });
    await join("another user of the account", "acme", "sib", "user");
    await join("ADMIN of the account", "acme", "adm", "admin");
    await join("a user of another account", "other", "eve", "user");
    await join("ADMIN of another account", "other", "adam", "admin");
    await join("one of the same name in another account", "other", "vic", "user");
    await server.rest(ROOT_KEY, "POST system/wait", {});
  });
  afterAll(() => server.close());

  /** Returns everything that belongs to the victim, as seen by the victim. */
  async function state(): Promise<string> {
    const asked = [
      "GET fs/ls?uri=ctx://user/vic&recursive=true&show_all_hidden=true",
      "GET fs/ls?uri=ctx://agent/helper&recursive=true&show_all_hidden=true",
      "GET fs/ls?uri=ctx://session/vic&recursive=true",
      "GET sessions",
      `GET content/read?uri=ctx://session/vic/${theirs.session}/messages.jsonl`,
      "GET content/read?uri=ctx://user/vic/memories/plain.md",
      "GET content/read?uri=ctx://agent/helper/memories/plain.md",
      "GET content/abstract?uri=ctx://user/vic/described",
      "GET memories?include_superseded=true",
      "GET webhooks",
      "GET trash",
      `GET tasks/${theirs.task}`,
      "GET system/status",
    ];
    const answers = await Promise.all(asked.map((call) => server.rest(victimKey, call)));
    return JSON.stringify(
      answers.map(({ http, result }) => [http, result]),
      (key, value) => (key === "uptime" ? 0 : value),
    );
  }

  const ask = (
    client: Client,
    attacker: Attacker,
    method: DescMethodUnary,
    request: JsonObject,
  ): Promise<Outcome> =>
    client.call(method, request, {
      "x-api-key": attacker.key,
      "x-ctx-account": "acme",
      "x-ctx-user": "vic",
      "x-ctx-agent": "helper",
    });

  /** Returns the request once per field that can name a subject, with each of the victim's subjects. */
  function* crossings(method: DescMethodUnary, own: Subjects): Generator<Crossing> {
    // an administrator is allowed to do these things to users of its own account
    if (isAdministration(method))
      return yield { field: "account_id", kind: "account", request: genericRequest(method, theirs) };
    for (const { name, kind } of subjectFields(method)) {
      const uris = [
        "ctx://user/vic/memories/plain.md",
        "ctx://user/vic/memories",
        "ctx://user/vic",
        "ctx://user/vic/new.md",
        "ctx://session/vic",
        `ctx://session/vic/${theirs.session}`,
        `ctx://session/vic/${theirs.session}/history/archive_001/messages.jsonl`,
        "ctx://agent/helper/memories/plain.md",
      ];
      if (kind !== "uri") yield { field: name, kind, request: genericRequest(method, own, name, theirs) };
      else
        for (const uri of uris)
          yield { field: name, kind, uri, request: genericRequest(method, own, name, { ...theirs, uri }) };
    }
  }

  const isAdministration = (method: DescMethodUnary) =>
    ["AccountService", "BackupService"].includes(method.parent.name) || isOfGroups(method);
  const isOfGroups = (method: DescMethodUnary) =>
    method.parent.name === "AccessService" && /Groups?|Member/.test(method.name);
  /** What the permission matrix allows an attacker to do to users of its own account. */
  const isItsRight = (name: string, attacker: Attacker) =>
    attacker.administers &&
    /\.(RegisterUser|ListUsers|RemoveUser|RegenerateUserKey|CreateKey|ListKeys|RevokeKey|\w+Groups?|\w+GroupMember)$/.test(
      name,
    );

  function codeFor(
    name: string,
    method: DescMethodUnary,
    attacker: Attacker,
    { field, kind, uri }: Crossing,
  ): string | undefined {
    if (isAdministration(method)) return "PERMISSION_DENIED";
    // agents' spaces belong to one user each, even if the agents have the same name
    const isOwn =
      kind === "account"
        ? attacker.own.account === theirs.account
        : kind === "uri" && (uri?.startsWith("ctx://agent/") || attacker.own.user === theirs.user);
    return isOwn ? undefined : (OTHERWISE[`${name} ${field}`] ?? "NOT_FOUND");
  }

  async function cross(
    name: string,
    method: DescMethodUnary,
    attacker: Attacker,
    client: Client,
  ): Promise<void> {
    // the subjects that the other operations need stay
    if (
      !isAdministration(method) &&
      name !== "AccessService.GrantAccess" &&
      name !== "SessionService.DeleteSession" &&
      name !== "MemoryService.DeleteMemory" &&
      !/^TrashService\.(?:Restore|Delete)/.test(name) &&
      name !== "WebhookService.DeleteWebhook" &&
      name !== "WebhookService.TestWebhook"
    ) {
      const plain = await ask(client, attacker, method, genericRequest(method, attacker.own));
      expect(JSON.stringify(plain), `${client.name}, ${attacker.name}`).not.toMatch(MARKERS);
    }
    // a user of the same name may share its own space, which others of its account would see
    if (name === "AccessService.GrantAccess" && attacker.own.user === theirs.user) return;
    for (const crossing of crossings(method, attacker.own)) {
      const outcome = await ask(client, attacker, method, crossing.request);
      const about = `${client.name}, ${attacker.name}: ${JSON.stringify(crossing.request)} → ${JSON.stringify(outcome)}`;
      expect(JSON.stringify(outcome), about).not.toMatch(MARKERS);
      const wanted = codeFor(name, method, attacker, crossing);
      if (wanted !== undefined) expect(outcome.code, about).toBe(wanted);
    }
  }

  it.each(REACHING)("%s cannot reach data of another tenant", async (name, method) => {
    const before = await state();
    expect(MARKERS.test(before)).toBe(true);
    expect(subjectFields(method).length === 0, `${name} names no subject: say so in WITHOUT_SUBJECT`).toBe(
      WITHOUT_SUBJECT.includes(name),
    );
    for (const attacker of attackers) {
      if (isItsRight(name, attacker)) continue;
      for (const client of clients) await cross(name, method, attacker, client);
    }
    expect(await state()).toBe(before);
  });

  it.each(REACHING)(
    "files of another tenant look to %s like files that do not exist",
    async (name, method) => {
      if (isAdministration(method)) return;
      const sibling = attackers[0]!;
      for (const { name: field, kind } of subjectFields(method)) {
        // the account is the caller's own
        if (kind === "account") continue;
        const outcomes = [];
        for (const subjects of [theirs, missing]) {
          const outcome = await ask(
            clients[0]!,
            sibling,
            method,
            genericRequest(method, sibling.own, field, subjects),
          );
          // about what the caller has named so far and about its own hits, whose hotness decreases
          const told = JSON.stringify(outcome)
            .replace(/"contexts_used":\d+/, '"contexts_used":0')
            .replace(/("score":\d\.\d{6})\d*/g, "$1");
          outcomes.push(told.replaceAll(subjects[kind], "<subject>"));
        }
        expect(outcomes[0], `${name} ${field}`).toBe(outcomes[1]);
      }
    },
  );

  it("every user can choose a session name that another user has", async () => {
    const before = await state();
    for (const { key, own } of attackers) {
      const made = await server.rest(key, "POST sessions", { session_id: theirs.session });
      expect([made.http, (made.result as { user: { user_id: string } }).user.user_id]).toEqual([
        200,
        own.user,
      ]);
      expect((await server.rest(key, `GET sessions/${theirs.session}`)).result).toMatchObject({
        message_count: 0,
      });
    }
    expect(await state()).toBe(before);
  });

  it("another tenant's files cannot be downloaded, and its uploads cannot be used", async () => {
    for (const attacker of attackers.filter(({ own }) => own.user !== "vic")) {
      for (const uri of [theirs.uri, "ctx://user/vic/described/.abstract.md"]) {
        const answer = await server.rest(attacker.key, `GET content/download?uri=${uri}`);
        expect([answer.http, answer.error?.code]).toEqual([404, "NOT_FOUND"]);
      }
      const own = await server.rest(
        attacker.key,
        `GET content/download?uri=ctx://agent/helper/memories/plain.md`,
      );
      expect(JSON.stringify(own)).not.toMatch(MARKERS);
      const used = await server.rest(attacker.key, "POST resources", {
        temp_path: theirs.upload,
        wait: true,
      });
      expect([used.http, used.error?.details]).toEqual([404, { resource: theirs.upload, type: "upload" }]);
    }
    const used = await server.rest(victimKey, "POST resources", {
      temp_path: theirs.upload,
      to: "ctx://resources/mine",
    });
    expect(used.http).toBe(200);
  });

  it("a USER key is refused for every administrative operation, even in its own account", async () => {
    const before = await state();
    const user = attackers[0]!;
    for (const [name, method] of METHODS.filter(([, method]) => isAdministration(method))) {
      // users may create, list and revoke their own keys
      const isOwnToo = /\.(CreateKey|ListKeys|RevokeKey)$/.test(name);
      for (const subjects of isOwnToo ? [theirs, missing] : [theirs, user.own, missing]) {
        for (const client of clients) {
          const { code } = await ask(client, user, method, genericRequest(method, subjects));
          expect(`${name} ${code}`).toBe(`${name} PERMISSION_DENIED`);
        }
      }
    }
    expect(await state()).toBe(before);
  });
});
