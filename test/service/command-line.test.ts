import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TREE_CHANGES } from "../../src/domain/change.ts";
import { ctxdb } from "../support/command-line.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { onCluster } from "../support/shared-database.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const NOTES = "# Tea\n\nThe keeper of the tower drinks green tea at four.\n\nNothing else is known.\n";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder.path, "notes"));
  await writeFile(join(folder.path, "notes", "tea.md"), NOTES);
  await writeFile(join(folder.path, "notes", "coffee.md"), "# Coffee\n\nNobody drinks it.\n");
  await writeFile(
    join(folder.path, "SKILL.md"),
    "---\nname: brew\ndescription: Brews tea\n---\n\n# Brew\n\nBoil water.\n",
  );
});
afterAll(() => folder.remove());

describe("against a server without keys", () => {
  let server: Served;
  let env: Record<string, string>;
  const at = (path: string) => join(folder.path, path);
  const ran = async (...argv: string[]) => {
    const { code, out, err } = await ctxdb(argv, { env });
    expect(err.split("\n").filter((line) => line.startsWith("ctxdb:"))).toEqual([]);
    expect(code).toBe(0);
    return out;
  };
  const json = async (...argv: string[]) => JSON.parse(await ran(...argv, "--json")) as never;

  beforeAll(async () => {
    server = await serve({ CTXDB_ROOT_API_KEY: undefined });
    env = { CTXDB_ADDRESS: `127.0.0.1:${server.port}`, XDG_CONFIG_HOME: at("config") };
  });
  afterAll(() => server.close());

  it("ctxdb without a command prints the first steps, and its help explains each command", async () => {
    expect(await ran()).toContain("ctxdb add ./docs");
    expect(await ran("help")).toContain("search by meaning and words");
    expect(await ran("help", "find")).toContain("--min-score");
    expect(await ran("session", "say", "--help")).toContain("--role");
    for (const command of [["watch"], ["webhook", "create"]])
      for (const kind of TREE_CHANGES) expect(await ran(...command, "--help")).toContain(kind);
    expect(await ran("--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("ctxdb with options but no command prints the first steps", async () => {
    expect(await ctxdb(["--json"], { env })).toMatchObject({
      code: 0,
      out: expect.stringContaining("ctxdb add ./docs"),
      err: "",
    });
  });

  it("ctxdb --json prints errors as JSON on standard error", async () => {
    const { code, out, err } = await ctxdb(["stat", "resources/none", "--json"], { env });
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(JSON.parse(err)).toMatchObject({
      status: "error",
      error: {
        code: "NOT_FOUND",
        message: expect.stringContaining("resources/none"),
        details: { resource: "ctx://resources/none" },
      },
    });
    const usage = await ctxdb(["find", "x", "--json", "--limit", "many"], { env });
    expect(JSON.parse(usage.err)).toMatchObject({ status: "error", error: { code: "ERROR" } });
  });

  it("the help of a command ends with one line about the global options", async () => {
    const help = await ran("help", "ls");
    expect(help).toContain("--recursive");
    expect(help).not.toContain("--profile");
    expect(help).toMatch(/Global options, such as --address, --key and --json: see `ctxdb help`\.\n$/);
  });

  it("ctxdb completion offers subcommands and options in bash, zsh and fish", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const script = await ran("completion", shell);
      for (const word of ["tasks", "wait", "json", "min-score", "recursive"])
        expect(script, shell).toContain(word);
    }
  });

  it("ctxdb add imports a folder by its path, and ctxdb find finds its content", async () => {
    expect(await ran("add", at("notes"), "--to", "resources/notes")).toBe(
      "added ctx://resources/notes (2 nodes)\n",
    );
    expect(await ran("find", "who", "drinks", "green", "tea?", "-n", "1")).toMatch(
      /^0\.\d\d {2}ctx:\/\/resources\/notes\/tea\.md\n {6}.*keeper of the tower/,
    );
    const { resources } = await json("find", "green tea", "--in", "resources/notes", "-n", "1");
    expect(resources).toMatchObject([
      { uri: "ctx://resources/notes/tea.md", context_type: "resource", level: 2, relations: [] },
    ]);
    expect(await ran("search", "green tea", "--in", "resources/notes")).toContain(
      "ctx://resources/notes/tea.md",
    );
    expect((await ctxdb(["find", "x", "--in", "resources/none"], { env })).err).toBe("nothing found\n");
  });

  it("ctxdb write warns of a secret in the text on standard error", async () => {
    const token = `gl${"dt"}-Zk3Qw8Rt5Yp2Lm9Nb4Vc`;
    const { code, out, err } = await ctxdb(["write", "resources/leak.md", `use ${token} for it`], { env });
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("ctx://resources/leak.md") });
    expect(err).toBe("warning: ctx://resources/leak.md: line 1: secret stored as it is (gitlab-token)\n");
    await ran("rm", "resources/leak.md", "--permanent");
  });

  it("ctxdb ls, tree, stat and read show the imported files", async () => {
    expect(await ran("ls", "resources/notes")).toMatch(
      /^Size {2}Modified {10}Name\n\d+ B .* coffee\.md\n\d+ B .* tea\.md\n$/,
    );
    expect(await ran("tree", "ctx://resources")).toBe(
      "ctx://resources\n└── notes/\n    ├── coffee.md\n    └── tea.md\n1 folder, 2 files\n",
    );
    expect(await ran("stat", "resources/notes")).toContain("Below     2 nodes");
    expect(await ran("read", "/resources/notes/tea.md")).toBe(NOTES);
    expect(await ran("read", "resources/notes/tea.md", "--offset", "2", "--lines", "1")).toBe(
      "The keeper of the tower drinks green tea at four.\n",
    );
    expect(await ran("abstract", "resources/notes/tea.md")).toContain("green tea");
    expect(await ran("overview", "resources/notes")).toContain("tea.md");
    expect(await ran("grep", "-i", "KEEPER", "resources/notes")).toBe(
      "ctx://resources/notes/tea.md:3: The keeper of the tower drinks green tea at four.\n",
    );
    expect(await ran("glob", "**/c*.md", "resources")).toBe("ctx://resources/notes/coffee.md\n");
  });

  it("ctxdb find prints whole passages if the output is not a terminal", async () => {
    const long = `# Long\n\n${"The lighthouse keeper writes every ship into the log. ".repeat(12)}\n`;
    await ran("write", "resources/long.md", long);
    const out = await ran("find", "lighthouse keeper ships log", "--in", "resources/long.md", "-n", "1");
    expect(out).not.toContain("…");
    expect(out.match(/every ship into the log/g)!.length).toBeGreaterThan(6);
    const cut = await ctxdb(["find", "lighthouse keeper", "--in", "resources/long.md", "-n", "1"], {
      env,
      columns: 80,
    });
    expect(cut.out).toContain("…");
    await ran("rm", "resources/long.md");
  });

  it("ctxdb tree prints how many folders it did not open", async () => {
    await ran("mkdir", "resources/a/b/c/d");
    const { out, err } = await ctxdb(["tree", "resources/a", "--levels", "2"], { env });
    expect(out).not.toContain("d/");
    expect(err).toBe("1 folder on level 2 not shown in full; use --levels 0 to see all levels\n");
    await ran("rm", "-r", "resources/a");
  });

  it("ctxdb find shows folders as hits instead of their layer files", async () => {
    const found = await ran("find", "notes about drinks tea coffee", "--in", "resources");
    expect(found).not.toContain(".overview.md");
    expect(found).not.toContain(".abstract.md");
  });

  it("ctxdb glob without a match explains how to search all folders", async () => {
    expect((await ctxdb(["glob", "*.md", "ctx://"], { env })).err).toBe(
      "no matches; use '**/*.md' to search all folders below\n",
    );
  });

  it("ctxdb rm of a folder that is not empty names the option that deletes it", async () => {
    const { code, err } = await ctxdb(["rm", "resources/notes"], { env });
    expect({ code, err }).toEqual({
      code: 1,
      err: "ctxdb: ctx://resources/notes is a folder and not empty; use --recursive to delete it with everything below it\n",
    });
  });

  it("ctxdb import refuses a file that is not a pack before uploading it", async () => {
    const { code, err } = await ctxdb(["import", at("notes/tea.md")], { env });
    expect(code).toBe(1);
    expect(err).toContain("is not a pack made by `ctxdb export`; import other files with `ctxdb add`");
  });

  it("ctxdb --json prints the same JSON as REST", async () => {
    for (const [argv, call] of [
      [["ls", "resources/notes"], "GET fs/ls?uri=ctx://resources/notes"],
      [["tree", "resources"], "GET fs/tree?uri=ctx://resources"],
      [["stat", "resources/notes"], "GET fs/stat?uri=ctx://resources/notes"],
      [["read", "resources/notes/tea.md"], "GET content/read?uri=ctx://resources/notes/tea.md"],
      [["relations", "resources/notes"], "GET relations?uri=ctx://resources/notes"],
      [["tasks"], "GET tasks?limit=20"],
      [["skill"], "GET skills"],
      [["session"], "GET sessions"],
      [["observer", "vectordb"], "GET observer/vectordb"],
    ] as const) {
      expect(await json(...argv), argv.join(" ")).toEqual((await server.rest("", call)).result);
    }
  });

  it("ctxdb read -o saves a complete file", async () => {
    await ran("read", "resources/notes/tea.md", "-o", at("saved.md"));
    expect(await readFile(at("saved.md"), "utf8")).toBe(NOTES);
  });

  it("ctxdb writes, appends to, moves and deletes files", async () => {
    expect(await ran("mkdir", "resources/drafts", "-d", "Half done")).toBe(
      "created ctx://resources/drafts\n",
    );
    expect(await ran("write", "resources/drafts/a.md", "one\n")).toBe(
      "wrote ctx://resources/drafts/a.md (4 B)\n",
    );
    expect(await ran("write", "resources/drafts/a.md", "two\n", "--append")).toContain("wrote");
    expect(await ran("read", "resources/drafts/a.md")).toBe("one\ntwo\n");
    expect((await ctxdb(["write", "resources/drafts/a.md"], { env, input: "from a pipe" })).code).toBe(0);
    expect(await ran("read", "resources/drafts/a.md")).toBe("from a pipe");
    expect((await ctxdb(["write", "resources/drafts/a.md", "x", "--create"], { env })).err).toContain(
      "(ALREADY_EXISTS)",
    );
    expect(await ran("mv", "resources/drafts/a.md", "resources/drafts/b.md")).toContain("moved");
    expect(await ctxdb(["rm", "resources/drafts"], { env })).toMatchObject({ code: 1, out: "" });
    expect(await ran("rm", "-r", "resources/drafts")).toBe("deleted ctx://resources/drafts (2 nodes)\n");
  });

  it("ctxdb links two files, lists the relation and removes it", async () => {
    expect(
      await ran("link", "resources/notes/tea.md", "resources/notes/coffee.md", "-m", "drinks"),
    ).toContain("linked");
    expect(await ran("relations", "resources/notes/tea.md")).toMatch(/From .*\n.*coffee\.md .* drinks\n$/);
    expect(await ran("unlink", "resources/notes/tea.md", "resources/notes/coffee.md")).toContain("unlinked");
    expect((await ctxdb(["relations", "resources/notes/tea.md"], { env })).err).toBe("no links\n");
  });

  it("ctxdb skill adds, lists, shows and deletes a skill", async () => {
    expect(await ran("skill", "add", at("SKILL.md"))).toContain("stored brew");
    expect(await ran("skill")).toMatch(/Name .*\nbrew {2}Brews tea/);
    expect(await ran("skill", "show", "brew")).toContain("Boil water.");
    expect(await ran("skill", "rm", "brew")).toContain("deleted");
  });

  it("ctxdb write-many writes all of the given files or none, and ctxdb rm deletes several at once", async () => {
    const lines = ["one", "two", "three"].map((name) =>
      JSON.stringify({ uri: `resources/batch/${name}.md`, content: name, mode: "create" }),
    );
    await writeFile(at("files.jsonl"), lines.join("\n"));
    expect(await ran("write-many", at("files.jsonl"))).toBe("wrote 3 files (11 B)\n");
    expect(await ran("read", "resources/batch/two.md")).toBe("two");
    const again = await ctxdb(["write-many", at("files.jsonl")], { env });
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringContaining("files[0]: file already exists: ctx://resources/batch/one.md"),
    ]);
    await writeFile(at("wrong.jsonl"), `${lines[0]}\n{"uri": 1}`);
    expect(await ctxdb(["write-many", at("wrong.jsonl")], { env })).toMatchObject({
      code: 2,
      err: expect.stringContaining("line 2: "),
    });
    const removed = await ctxdb(
      ["rm", "-r", "resources/batch/one.md", "resources/batch/two.md", "resources/batch"],
      { env },
    );
    expect(removed.out).toBe("deleted 3 URIs (4 nodes)\n");
    expect(removed.err).toMatch(/^undo with `ctxdb trash restore \w+`\n$/);
  });

  it("ctxdb trash lists, restores and empties items that ctxdb rm has deleted", async () => {
    await ran("write", "resources/trash/note.md", "to be restored");
    const { trash_id: id } = (await json("rm", "resources/trash/note.md")) as { trash_id: string };
    expect(await ran("trash")).toMatch(new RegExp(`Item .*\n${id} .* 14 B +ctx://resources/trash/note.md`));
    expect(await ran("trash", "restore", id)).toBe("restored ctx://resources/trash/note.md (1 node)\n");
    expect(await ran("read", "resources/trash/note.md")).toBe("to be restored");
    expect(await ctxdb(["trash", "restore", id], { env })).toMatchObject({ code: 3 });
    const gone = (await json("rm", "--recursive", "resources/trash")) as { trash_id: string };
    expect(await ran("trash", "rm", gone.trash_id)).toBe(`deleted ${gone.trash_id}\n`);
    await ran("write", "resources/trash/note.md", "again");
    await ran("rm", "resources/trash/note.md");
    expect(await ran("trash", "empty")).toMatch(/^deleted \d+ items?\n$/);
    await ran("write", "resources/trash/note.md", "again");
    expect(await json("rm", "--permanent", "resources/trash/note.md")).not.toHaveProperty("trash_id");
    expect(await json("trash")).toMatchObject({ items: [], total: 0 });
  });

  it("ctxdb schedule sets, lists, pauses, runs and deletes the schedule of a resource", async () => {
    await ran("add", at("notes"), "--to", "resources/planned");
    const set = await json("schedule", "set", "resources/planned", "--every", "6h");
    expect(set).toMatchObject({ uri: "ctx://resources/planned", interval_seconds: 21_600, state: "active" });
    expect(await ran("schedule", "ls", "resources/planned")).toMatch(
      /Resource .*\nctx:\/\/resources\/planned +6 h/,
    );
    expect(await ran("schedule", "pause", "resources/planned")).toContain("paused: paused by a user");
    expect(await ctxdb(["schedule", "run", "resources/planned"], { env })).not.toMatchObject({ code: 0 });
    expect(await ran("schedule", "resume", "resources/planned")).toContain("Next run");
    expect(await ran("schedule", "run", "resources/planned")).toContain(at("notes"));
    expect(await ran("schedule", "rm", "resources/planned")).toContain("deleted the schedule of");
    expect(await json("schedule")).toEqual([]);
    const { err } = await ctxdb(["schedule", "set", "resources/planned", "--every", "soon"], { env });
    expect(err).toContain("such as 90s, 15m, 6h or 1d");
  });

  it("ctxdb webhook creates, pauses, resumes and deletes a webhook, and shows its secret once", async () => {
    // of a kind that no missing file can have, so nothing is sent
    const of = ["--uri", "resources/never.md", "--kinds", "changed"];
    const created = await json("webhook", "create", "https://192.0.32.8/hook", ...of);
    const { webhook, secret } = created as { webhook: { webhook_id: string }; secret: string };
    const { webhook_id: id } = webhook;
    expect(secret).toMatch(/^whsec_/);
    expect(await ran("webhook")).toMatch(new RegExp(`Webhook .*\n${id} {2}active +https://192.0.32.8/hook`));
    expect(await ran("webhook", "pause", id)).toContain("paused: paused by its user");
    expect(await ran("webhook", "resume", id)).toMatch(/State +active/);
    expect(await ran("webhook", "show", id)).not.toContain(secret);
    expect(await ran("webhook", "rotate", id)).toMatch(/^whsec_/);
    expect(await json("webhook", "deliveries", id)).toEqual([]);
    expect(await ran("webhook", "rm", id)).toBe(`deleted ${id}\n`);
    expect(await ctxdb(["webhook", "show", id], { env })).toMatchObject({ code: 3 });
  });

  it("ctxdb session stores messages, and ctxdb commit extracts memories from them", async () => {
    expect(await ran("session", "say", "monday", "My name is Ann. I prefer green tea.")).toBe(
      "1 message in monday\n",
    );
    expect(
      (await ctxdb(["session", "say", "monday", "--role", "assistant"], { env, input: "Noted." })).out,
    ).toBe("2 messages in monday\n");
    expect(await ran("session")).toMatch(/Session .*\nmonday +2 /);
    expect(await ran("context", "monday", "-t", "1000")).toContain("I prefer green tea.");
    expect(await ran("commit", "monday")).toMatch(/^committed monday: [1-9]\d* (memory|memories)\n$/);
    expect(await ran("find", "which tea does Ann prefer?", "--in", "user")).toContain(
      "ctx://user/default/memories",
    );
    expect(await json("commit", "monday")).toMatchObject({
      session_id: "monday",
      status: "committed",
      archived: false,
    });
    expect(await ran("session", "rm", "monday")).toBe("deleted monday\n");
    expect(await ctxdb(["session", "show", "monday"], { env })).toMatchObject({ code: 3 });
  });

  it("ctxdb exports a folder as a pack and imports it elsewhere", async () => {
    expect(await ran("export", "resources/notes", "-o", at("notes.zip"))).toContain(
      "saved ctx://resources/notes",
    );
    expect(await ctxdb(["import", at("notes.zip")], { env })).toMatchObject({ code: 1 });
    expect(await ran("import", at("notes.zip"), "resources/copy")).toBe(
      "imported ctx://resources/copy/notes (2 files)\n",
    );
  });

  it("ctxdb shows the status, queues and tasks, and waits for all jobs or for one task", async () => {
    expect(await ran("status")).toMatch(/Health +all components work/);
    expect(await ran("wait")).toMatch(/^\d+ jobs? done, 0 failed\n$/);
    expect(await ran("observer")).toContain("Vector Count");
    const [{ task_id }] = (await json("tasks")) as [{ task_id: string }];
    expect(await ran("tasks", "show", task_id)).toContain("completed");
    expect(await ran("tasks", "wait", task_id)).toContain("completed");
    const cancelled = await ctxdb(["tasks", "cancel", task_id], { env });
    expect([cancelled.code, cancelled.err]).toEqual([
      1,
      expect.stringContaining("it has already ended (completed)"),
    ]);
    const { out, err } = await ctxdb(["add", at("notes"), "--to", "resources/notes", "--no-wait"], { env });
    expect([out, err]).toEqual([
      "added ctx://resources/notes\n",
      expect.stringMatching(/^still running on the server; wait for it with `ctxdb tasks wait \w+`\n$/),
    ]);
    expect(await ran("refresh", "resources/notes")).toBe("refreshed ctx://resources/notes\n");
  });

  it("ctxdb cuts lines to the terminal's width, and uses colours unless disabled", async () => {
    const { out } = await ctxdb(["find", "green tea", "-n", "1"], { env, columns: 40 });
    expect(out).toContain("\u001b[");
    const plain = await ctxdb(["find", "green tea", "-n", "1"], {
      env: { ...env, NO_COLOR: "1" },
      columns: 60,
    });
    expect(plain.out).not.toContain("\u001b");
    expect((await ctxdb(["find", "green tea", "--no-color"], { env, columns: 60 })).out).not.toContain(
      "\u001b",
    );
  });

  it("ctxdb reports each kind of failure in one line and with its own exit code", async () => {
    const failed = async (...argv: string[]) => {
      const { code, out, err } = await ctxdb(argv, { env });
      expect([out, err.trimEnd().split("\n").length]).toEqual(["", 1]);
      return [code, err];
    };
    expect(await failed("fnd")).toEqual([
      2,
      "ctxdb: unknown command 'fnd' (Did you mean find?); see `ctxdb help`\n",
    ]);
    expect(await failed("ls", "--bogus")).toEqual([
      2,
      "ctxdb: unknown option '--bogus'; see `ctxdb help ls`\n",
    ]);
    expect(await failed("find")).toEqual([
      2,
      "ctxdb: missing required argument 'words'; see `ctxdb help find`\n",
    ]);
    expect(await failed("find", "x", "-n", "many")).toEqual([
      2,
      expect.stringContaining("It must be a whole number; see"),
    ]);
    expect(await failed("read", "resources/none")).toEqual([
      3,
      expect.stringContaining("ctx://resources/none (NOT_FOUND)"),
    ]);
    // the hint names the list that contains such things
    expect(await failed("skill", "show", "none")).toEqual([3, expect.stringContaining("`ctxdb skill list`")]);
    expect(await failed("add", at("nothing"))).toEqual([
      3,
      expect.stringContaining("no such file or folder on this machine"),
    ]);
    expect(await failed("ls", "ctx://resources/../x")).toEqual([1, expect.stringContaining("(INVALID_URI)")]);
    expect(await failed("admin", "accounts")).toEqual([4, expect.stringContaining("(PERMISSION_DENIED)")]);
    expect(await failed("ls", "--address", "127.0.0.1:1")).toEqual([
      5,
      expect.stringContaining("no answer from http://127.0.0.1:1"),
    ]);
    expect(await failed("import", at("nothing.zip"))).toEqual([3, expect.stringContaining("nothing.zip")]);
  });

  it("an interrupted ctxdb ends with exit code 130", async () => {
    const interrupt = new AbortController();
    interrupt.abort();
    expect(await ctxdb(["ls"], { env, signal: interrupt.signal })).toEqual({
      code: 130,
      out: "",
      err: "ctxdb: interrupted\n",
    });
  });
});

describe("a data directory", () => {
  // a server of a cluster has a copy of the store there
  it.skipIf(onCluster)("ctxdb verify checks a data directory that no server uses", async () => {
    const server = await serve({ CTXDB_ROOT_API_KEY: undefined });
    const verify = () => ctxdb(["verify", "--data-dir", server.dataDir]);
    await ctxdb(["write", "resources/a.md", "text"], { env: { CTXDB_ADDRESS: `127.0.0.1:${server.port}` } });
    expect(await verify()).toMatchObject({
      code: 1,
      err: expect.stringContaining("uses the data directory"),
    });
    await server.restart(async () => {
      expect(await verify()).toMatchObject({
        code: 0,
        out: "",
        err: expect.stringContaining("is consistent: 1 account checked"),
      });
    });
    await server.close();
    expect(await ctxdb(["verify", "--data-dir", join(folder.path, "notes")])).toMatchObject({ code: 3 });
  });
});

describe("against a server with keys", () => {
  let server: Served;
  let env: Record<string, string>;

  beforeAll(async () => {
    server = await serve();
    env = { CTXDB_ADDRESS: `127.0.0.1:${server.port}`, XDG_CONFIG_HOME: join(folder.path, "keyed") };
  });
  afterAll(() => server.close());

  const root = (...argv: string[]) => ctxdb([...argv, "--key", ROOT_KEY], { env });

  it("ctxdb login saves a key for later commands, and ctxdb add uploads local files", async () => {
    expect(await ctxdb(["ls"], { env })).toMatchObject({
      code: 4,
      err: expect.stringContaining("`ctxdb login`"),
    });
    const made = await root("admin", "accounts", "add", "acme", "alice");
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^ctx_\S+\n$/) });
    const login = await ctxdb(["login", "--key", "-"], { env, input: made.out });
    expect(login).toMatchObject({
      code: 0,
      out: expect.stringContaining("as alice of acme (admin)"),
    });
    expect(await ctxdb(["profile"], { env })).toMatchObject({
      out: expect.stringMatching(/\* +default +http:\/\/127\.0\.0\.1:\d+ +yes/),
    });
    const added = await ctxdb(["add", join(folder.path, "notes", "tea.md")], { env });
    expect(added).toMatchObject({ code: 0, out: expect.stringContaining("added ctx://resources/tea") });
    expect((await ctxdb(["find", "green tea"], { env })).out).toContain("keeper of the tower");
    const folderAdded = await ctxdb(["add", join(folder.path, "notes")], { env });
    expect(folderAdded).toMatchObject({ code: 0, out: "added ctx://resources/notes (2 nodes)\n" });
    expect(await ctxdb(["profile", "rm", "default"], { env })).toMatchObject({ code: 0 });
    expect(await ctxdb(["ls"], { env })).toMatchObject({ code: 4 });
  });

  it("ctxdb login does not save a key that the server refuses", async () => {
    expect(await ctxdb(["login", "--key", "wrong"], { env })).toMatchObject({ code: 4 });
    expect(await ctxdb(["profile"], { env })).toMatchObject({ out: "" });
    expect(await ctxdb(["profile", "use", "gone"], { env })).toMatchObject({ code: 3 });
  });

  it("ctxdb share explain shows the access that a group has by ctxdb share add, until it is removed", async () => {
    const { out: key } = await root("admin", "accounts", "add", "gamma", "gil");
    const { out: other } = await root("admin", "users", "add", "gamma", "gus");
    const as =
      (of: string) =>
      async (...argv: string[]) => {
        const { code, out, err } = await ctxdb([...argv, "--key", of.trim()], { env });
        expect([code, err.split("\n").filter((line) => line.startsWith("ctxdb:"))]).toEqual([0, []]);
        return out;
      };
    const [gil, gus] = [as(key), as(other)];
    expect(await gil("group", "create", "writers", "gus")).toBe("created writers\n");
    expect(await gil("group")).toMatch(/Group .*\nwriters {2}gus\n$/);
    expect(await gus("whoami")).toMatch(/User +gus\n.*Groups +writers\n$/s);
    await gil("write", "user/gil/plans/a.md", "A plan.");
    const added = await gil("share", "add", "user/gil/plans", "group:writers", "write");
    expect(added).toMatch(/ctx:\/\/user\/gil\/plans +group:writers +write\n$/);
    expect(await gus("read", "user/gil/plans/a.md")).toBe("A plan.");
    expect(await gus("share")).toContain("ctx://user/gil/plans");
    expect(await gil("share", "explain", "user/gil/plans", "--of", "gus")).toMatch(/gus: write\n$/);
    await gil("share", "add", "user/gil/plans/a.md", "user:gus", "write", "--deny");
    expect(await gus("share", "explain", "user/gil/plans/a.md")).toMatch(
      /user:gus not write +read\ngus: read\n$/,
    );
    expect(await gil("group", "remove", "writers", "gus")).toBe("writers: no members\n");
    expect((await ctxdb(["read", "user/gil/plans/a.md", "--key", other.trim()], { env })).code).toBe(3);
    expect(await gil("share", "rm", "user/gil/plans", "group:writers")).toBe(
      "removed from ctx://user/gil/plans\n",
    );
    expect(await gil("group", "rm", "writers")).toBe("deleted writers\n");
    expect(
      (await ctxdb(["share", "add", "user/gil", "gus", "read", "--key", key.trim()], { env })).code,
    ).toBe(2);
  });

  it("ctxdb admin adds accounts and users, changes roles and replaces keys", async () => {
    await root("admin", "accounts", "add", "beta", "ben");
    expect(await root("admin", "users", "add", "beta", "bob")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ctx_/),
    });
    expect(await root("admin", "users", "role", "beta", "bob", "admin")).toMatchObject({
      out: "bob is admin of beta\n",
    });
    expect(await root("admin", "users", "key", "beta", "bob")).toMatchObject({
      out: expect.stringMatching(/^ctx_/),
    });
    expect((await root("admin", "users", "beta")).out).toBe("User  Role\nben   admin\nbob   admin\n");
    expect(await root("admin", "users", "rm", "beta", "bob")).toMatchObject({
      out: "removed bob from beta\n",
    });
    expect(await root("admin", "accounts", "rm", "beta")).toMatchObject({ out: "deleted beta\n" });
    expect((await root("admin", "accounts")).out).not.toContain("beta");
  });

  it("ctxdb usage set changes the named quotas, and ctxdb usage shows them to the account", async () => {
    const { out: key } = await root("admin", "accounts", "add", "delta", "dee");
    expect(await root("usage", "set", "delta", "--bytes", "2GB", "--nodes", "500")).toMatchObject({
      code: 0,
    });
    expect(await root("usage", "set", "delta", "--nodes", "default", "--chunks", "none")).toMatchObject({
      code: 0,
    });
    const { out } = await ctxdb(["usage", "--key", key.trim()], { env });
    expect(out).toMatch(/stored_bytes +0 B +2\.0 GB +0 % +quota/);
    expect(out).toMatch(/nodes +0 +none +server/);
    expect(out).toMatch(/chunks +0 +none +quota/);
    expect(await root("usage", "set", "delta", "--task-days", "9", "--trash-days", "none")).toMatchObject({
      code: 0,
    });
    const { out: after } = await root("usage", "set", "delta", "--task-days", "default", "--audit-days", "8");
    expect(after).toMatch(/stored_bytes +0 B +2\.0 GB +0 % +quota/);
    expect(after).toMatch(/version_days +30 +server/);
    expect(after).toMatch(/trash_days +no limit +quota/);
    expect(after).toMatch(/task_days +no limit +server/);
    expect(after).toMatch(/audit_days +8 +quota/);
    for (const wrong of ["0", "-5", "2XB", "some"])
      expect(await root("usage", "set", "delta", "--nodes", wrong)).toMatchObject({ code: 2 });
    expect(await ctxdb(["usage", "set", "delta", "--key", key.trim()], { env })).toMatchObject({ out: "" });
  });

  it("ctxdb with the root key acts for the named account and user", async () => {
    await root("write", "user/alice/note.md", "for alice", "--account", "acme", "--user", "alice");
    expect((await root("read", "user/alice/note.md", "--account", "acme", "--user", "alice")).out).toBe(
      "for alice",
    );
    expect(await root("read", "user/alice/note.md", "--account", "acme", "--user", "bob")).toMatchObject({
      code: 3,
    });
  });
});
