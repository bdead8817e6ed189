import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContentService } from "../../gen/ctxdb/v1/content_pb.ts";
import { ErrorDetailSchema } from "../../gen/ctxdb/v1/error_pb.ts";
import { archiveOf } from "../support/archive.ts";
import { type ChatProvider, chatProvider } from "../support/chat-provider.ts";
import { DavClient } from "../support/dav-client.ts";
import { type McpSession, mcpOver } from "../support/mcp.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { onCluster } from "../support/shared-database.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { serveWeb, type WebServer } from "../support/web-server.ts";
import { filesWith } from "../support/words-on-disk.ts";

const MODES = ["redact", "refuse", "warn", "off"] as const;
type Mode = (typeof MODES)[number];

/** Returns a token that is detected as `gitlab-token`, always the same for a name. */
const tokenOf = (name: string): string =>
  `gldt-${createHash("sha256").update(name).digest("base64").replace(/[+/=]/g, "x").slice(0, 20)}`;
const MARK = "[redacted: gitlab-token]";

/** The outcome of a call over any protocol. */
interface Outcome {
  readonly error?:
    | { readonly code: string; readonly message: string; readonly details?: unknown }
    | undefined;
  /** Warnings of the response, in any form. */
  readonly warnings: string;
}

/** A server with one policy, and everything that its interfaces need. */
interface World {
  readonly served: Served;
  readonly key: string;
  readonly folder: string;
  readonly web: WebServer;
  readonly provider: ChatProvider;
  readonly dav: DavClient;
  readonly mcp: McpSession;
  /** A pack from a server that does not check for secrets. */
  pack(text: string): Promise<Uint8Array>;
}

/** An interface through which content arrives. */
interface Way {
  readonly name: string;
  /** Whether nobody is told about a refusal, because the content is not the caller's. */
  readonly isSilent?: true;
  readonly send: (world: World, text: string) => Promise<Outcome>;
  /** Returns what was stored. */
  readonly stored: (world: World) => Promise<string>;
}

async function rest({ served, key }: World, call: string, body?: object): Promise<Outcome> {
  const { error, ...answer } = await served.rest(key, call, body);
  return { error, warnings: JSON.stringify(answer) };
}

const read = async ({ served, key }: World, uri: string): Promise<string> =>
  JSON.stringify(await served.rest(key, `GET content/read?uri=${encodeURIComponent(uri)}`));

const abstractOf = async (served: Served, key: string, uri: string): Promise<string> =>
  JSON.stringify(await served.rest(key, `GET content/abstract?uri=${uri}`));

async function upload(world: World, name: string, bytes: Uint8Array | string): Promise<string> {
  const form = new FormData();
  form.set("file", new Blob([typeof bytes === "string" ? bytes : new Uint8Array(bytes)]), name);
  const { result } = await world.served.rest(world.key, "POST resources/temp_upload", form);
  return (result as { temp_path: string }).temp_path;
}

const add = (world: World, body: object) => rest(world, "POST resources", { wait: true, ...body });

const session = async (world: World, id: string, body: object, call = "messages"): Promise<Outcome> => {
  await world.served.rest(world.key, "POST sessions", { session_id: id });
  return rest(world, `POST sessions/${id}/${call}`, body);
};
const context = async ({ served, key }: World, id: string) =>
  JSON.stringify(await served.rest(key, `GET sessions/${id}/context`));

const WAYS: readonly Way[] = [
  {
    name: "content/write",
    send: (world, text) =>
      rest(world, "POST content/write", {
        uri: "ctx://resources/in/written.md",
        mode: "create",
        content: text,
      }),
    stored: (world) => read(world, "ctx://resources/in/written.md"),
  },
  {
    name: "content/write_many",
    send: (world, text) =>
      rest(world, "POST content/write_many", {
        files: [
          { uri: "ctx://resources/in/beside.md", mode: "create", content: "nothing to hide" },
          { uri: "ctx://resources/in/many.md", mode: "create", content: text },
        ],
      }),
    stored: (world) => read(world, "ctx://resources/in/many.md"),
  },
  {
    name: "an append",
    send: async (world, text) => {
      const uri = "ctx://resources/in/appended.md";
      const half = text.indexOf("gldt-") + 9;
      // the secret is only complete with the second half
      await rest(world, "POST content/write", { uri, mode: "create", content: text.slice(0, half) });
      return rest(world, "POST content/write", { uri, mode: "append", content: text.slice(half) });
    },
    stored: (world) => read(world, "ctx://resources/in/appended.md"),
  },
  {
    name: "an upload",
    send: async (world, text) =>
      add(world, { temp_path: await upload(world, "up.md", text), to: "ctx://resources/up" }),
    stored: (world) => read(world, "ctx://resources/up/up.md"),
  },
  {
    name: "a folder of the server",
    send: async (world, text) => {
      await mkdir(join(world.folder, "docs"), { recursive: true });
      await writeFile(join(world.folder, "docs", "wide.txt"), Buffer.from(`\ufeff${text}`, "utf16le"));
      await writeFile(join(world.folder, "docs", "other.md"), "# Harmless");
      return add(world, { path: join(world.folder, "docs"), to: "ctx://resources/docs" });
    },
    stored: (world) => read(world, "ctx://resources/docs/wide.txt"),
  },
  {
    name: "an archive",
    send: async (world, text) => {
      const bytes = await archiveOf([
        ["a.json", JSON.stringify({ a: text })],
        ["b.md", "# Harmless"],
      ]);
      return add(world, { temp_path: await upload(world, "a.zip", bytes), to: "ctx://resources/zip" });
    },
    stored: (world) => read(world, "ctx://resources/zip/a.json"),
  },
  {
    name: "a URL",
    send: async (world, text) => {
      world.web.pages.set("/page.md", text);
      return add(world, { path: `${world.web.base}/page.md`, to: "ctx://resources/web" });
    },
    stored: (world) => read(world, "ctx://resources/web/page.md"),
  },
  {
    name: "a pack",
    send: async (world, text) => {
      const temp_path = await upload(world, "p.zip", await world.pack(text));
      return rest(world, "POST pack/import", { temp_path, parent: "ctx://resources/in", wait: true });
    },
    stored: (world) => read(world, "ctx://resources/in/pk/a.md"),
  },
  {
    name: "a skill",
    send: (world, text) =>
      rest(world, "POST skills", {
        data: { name: "leaky", description: `Uses ${text.trim()}`, content: "# L" },
      }),
    stored: async (world) =>
      (await read(world, "ctx://agent/skills/leaky/SKILL.md")) +
      JSON.stringify(await world.served.rest(world.key, "GET skills")),
  },
  {
    name: "a memory",
    send: (world, text) =>
      rest(world, "POST memories", { statement: `The key is ${text.trim().split(" ").at(-1)}` }),
    stored: async ({ served, key }) => JSON.stringify(await served.rest(key, "GET memories")),
  },
  {
    name: "a changed memory",
    send: async (world, text) => {
      const made = await world.served.rest(world.key, "POST memories", {
        statement: "The cat is called Momo",
      });
      const { memory } = made.result as { memory: { memory_id: string } };
      const statement = `The cat is called ${text.trim().split(" ").at(-1)}`;
      return rest(world, `PATCH memories/${memory.memory_id}`, { statement });
    },
    stored: async ({ served, key }) => JSON.stringify(await served.rest(key, "GET memories")),
  },
  {
    name: "the description of a folder",
    send: (world, text) => rest(world, "POST fs/mkdir", { uri: "ctx://resources/told", description: text }),
    stored: ({ served, key }) => abstractOf(served, key, "ctx://resources/told"),
  },
  {
    name: "the reason of a relation",
    send: async (world, text) => {
      for (const name of ["from", "to"])
        await rest(world, "POST fs/mkdir", { uri: `ctx://resources/${name}` });
      return rest(world, "POST relations/link", {
        from_uri: "ctx://resources/from",
        to_uri: "ctx://resources/to",
        reason: text,
      });
    },
    stored: async ({ served, key }) =>
      JSON.stringify(await served.rest(key, "GET relations?uri=ctx://resources/from")),
  },
  {
    name: "the note of an import",
    send: async (world, text) => {
      const temp_path = await upload(world, "noted.md", "# Harmless");
      return add(world, { temp_path, to: "ctx://resources/noted", reason: text });
    },
    stored: (world) => read(world, "ctx://resources/noted/.meta.json"),
  },
  {
    name: "a message",
    send: (world, text) => session(world, "one", { role: "user", content: text }),
    stored: (world) => context(world, "one"),
  },
  {
    name: "a tool's input",
    send: (world, text) => {
      const tool = { type: "tool", tool_name: "sh", tool_input: { command: text }, tool_status: "completed" };
      return session(world, "input", { role: "assistant", parts: [tool] });
    },
    stored: (world) => context(world, "input"),
  },
  {
    name: "a tool's output in a batch",
    send: (world, text) => {
      const tool = { type: "tool", tool_name: "sh", tool_output: text, tool_status: "completed" };
      const messages = [
        { role: "user", content: "go" },
        { role: "assistant", parts: [tool] },
      ];
      return session(world, "output", { messages }, "messages/batch");
    },
    stored: (world) => context(world, "output"),
  },
  {
    name: "WebDAV",
    send: async ({ dav }, text) => {
      const { status, headers, text: body } = await dav.put("resources/dav.md", text);
      const code = /<ctx:code>(\w+)</.exec(body)?.[1] ?? `status ${status}`;
      const error = status < 300 ? undefined : { code, message: body };
      return { error, warnings: String(headers.warning ?? "") };
    },
    stored: (world) => read(world, "ctx://resources/dav.md"),
  },
  {
    name: "MCP",
    send: async ({ mcp }, text) => {
      const uri = "ctx://resources/mcp.md";
      const { text: told, isError } = await mcp.tool("write", { uri, content: text });
      return {
        error: isError ? { code: told.split(":")[0] ?? "", message: told } : undefined,
        warnings: told,
      };
    },
    stored: (world) => read(world, "ctx://resources/mcp.md"),
  },
  ...(["connect", "grpc"] as const).map((wire): Way => {
    const uri = `ctx://resources/${wire}.md`;
    return {
      name: wire,
      send: async ({ served, key }, content) => {
        const baseUrl = `http://127.0.0.1:${served.port}`;
        const transport =
          wire === "grpc"
            ? createGrpcTransport({ baseUrl })
            : createConnectTransport({ baseUrl, httpVersion: "1.1" });
        let warnings = "";
        const options = {
          headers: { "x-api-key": key },
          onHeader: (headers: Headers) => {
            warnings = headers.get("warning") ?? "";
          },
        };
        try {
          const client = createClient(ContentService, transport);
          await client.writeContent({ uri, content, mode: "create" }, options);
          return { warnings };
        } catch (error) {
          const { rawMessage, ...failure } = ConnectError.from(error);
          const [detail] = ConnectError.from(error).findDetails(ErrorDetailSchema);
          return { error: { code: detail?.code ?? "", message: rawMessage, details: failure }, warnings };
        }
      },
      stored: (world) => read(world, uri),
    };
  }),
  {
    name: "the gateway",
    isSilent: true,
    send: async ({ served, key }, text) => {
      await fetch(`http://127.0.0.1:${served.port}/gateway/anthropic/v1/messages`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-ctxdb-key": key, "x-ctxdb-session": "gate" },
        body: JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: text }] }),
      }).then((answer) => answer.text());
      return { warnings: "" };
    },
    stored: (world) => context(world, "gate"),
  },
];

const words = (mode: Mode, way: Way) => tokenOf(`${mode} ${way.name}`);
const textOf = (mode: Mode, way: Way) => `# Note\n\nto use it, say ${words(mode, way)}\n`;

async function open(mode: Mode, pack: World["pack"]): Promise<World & { close(): Promise<void> }> {
  const [folder, web, provider] = await Promise.all([temporaryFolder(), serveWeb(), chatProvider()]);
  const served = await serve({
    CTXDB_SECRETS: mode,
    CTXDB_LOCAL_PATHS: folder.path,
    CTXDB_URL_ALLOW_PRIVATE: "true",
    CTXDB_GATEWAY_ANTHROPIC_URL: provider.url,
    CTXDB_GATEWAY_RECALL_TOKENS: "0",
  });
  const made = await served.rest(ROOT_KEY, "POST admin/accounts", {
    account_id: "acme",
    admin_user_id: "ann",
  });
  const { user_key: key } = made.result as { user_key: string };
  const mcp = await mcpOver(served.port, { "x-api-key": key });
  return {
    served,
    key,
    folder: folder.path,
    web,
    provider,
    dav: new DavClient(() => served.port, key),
    mcp,
    pack,
    close: async () => {
      await mcp.client.close();
      await served.close();
      await Promise.all([web.close(), provider.close(), folder.remove()]);
    },
  };
}

/** A server that stores everything and creates packs. */
async function maker(): Promise<World & { close(): Promise<void> }> {
  const world = await open("off", async (text) => {
    await world.served.rest(world.key, "DELETE fs?uri=ctx://resources/pk&recursive=true");
    await rest(world, "POST content/write", {
      uri: "ctx://resources/pk/a.md",
      mode: "create",
      content: text,
      wait: true,
    });
    const answer = await fetch(`http://127.0.0.1:${world.served.port}/api/v1/pack/export`, {
      method: "POST",
      headers: { "X-API-Key": world.key, "Content-Type": "application/json" },
      body: JSON.stringify({ uri: "ctx://resources/pk", include_vectors: true }),
    });
    return new Uint8Array(await answer.arrayBuffer());
  });
  return world;
}

describe("secrets in content that comes in", () => {
  const worlds = new Map<Mode, World & { close(): Promise<void> }>();
  const world = (mode: Mode): World => {
    const found = worlds.get(mode);
    if (!found) throw new Error(`no server with ${mode}`);
    return found;
  };
  beforeAll(async () => {
    const off = await maker();
    worlds.set("off", off);
    for (const mode of MODES) if (mode !== "off") worlds.set(mode, await open(mode, off.pack));
  }, 120_000);
  afterAll(async () => {
    for (const one of worlds.values()) await one.close();
  });

  it.each(WAYS)(
    "a secret received by $name is replaced by a marker, and the response contains a warning",
    async (way) => {
      const { error, warnings } = await way.send(world("redact"), textOf("redact", way));
      expect(error).toBeUndefined();
      if (!way.isSilent) expect(warnings).toContain("secret redacted (gitlab-token)");
      const stored = await way.stored(world("redact"));
      expect(stored).toContain(MARK);
      expect(stored + warnings).not.toContain(words("redact", way));
    },
  );

  it.each(WAYS)(
    "a secret received by $name is refused, and the error names its kind, place and line",
    async (way) => {
      const { error } = await way.send(world("refuse"), textOf("refuse", way));
      if (!way.isSilent) {
        expect(error?.code).toBe("INVALID_ARGUMENT");
        expect(error?.message).toMatch(/line \d+ contains a secret \(gitlab-token\)/);
      }
      const stored = await way.stored(world("refuse"));
      expect(stored + JSON.stringify(error)).not.toContain(words("refuse", way));
      expect(stored).not.toContain("[redacted");
    },
  );

  it.each(WAYS)("a secret received by $name is stored with a warning under the policy warn", async (way) => {
    const { error, warnings } = await way.send(world("warn"), textOf("warn", way));
    expect(error).toBeUndefined();
    if (!way.isSilent) expect(warnings).toContain("secret stored as it is (gitlab-token)");
    const stored = await way.stored(world("warn"));
    if (!way.isSilent) expect(stored).toContain(words("warn", way));
  });

  it("under the policy off, a secret is stored without a warning", async () => {
    const [way] = WAYS;
    const { warnings } = await way!.send(world("off"), textOf("off", way!));
    expect(warnings).not.toContain("secret");
    expect(await way!.stored(world("off"))).toContain(words("off", way!));
  });

  // each server of a cluster has metrics of its own
  it.skipIf(onCluster)(
    "secrets are counted by kind, and audited with their kinds and the place of the first one",
    async () => {
      const { served, key } = world("redact");
      const figures = await fetch(`http://127.0.0.1:${served.port}/metrics`, {
        headers: { "x-api-key": ROOT_KEY },
      });
      expect(await figures.text()).toMatch(
        /ctxdb_secrets_found_total\{kind="gitlab-token",action="redact"\} [1-9]/,
      );
      const { result } = await served.rest(key, "GET observer/audit?limit=100");
      const entries = (result as { entries: { operation: string; subject?: string; user: string }[] })
        .entries;
      const subjects = entries.filter(({ subject }) =>
        subject?.startsWith("secrets redacted: gitlab-token 1"),
      );
      expect(subjects.map(({ operation }) => operation)).toEqual(
        expect.arrayContaining([
          "ContentService.WriteContent",
          "ResourceService.AddResource",
          "SessionService.AddMessages",
          "MemoryService.CreateMemory",
          "gateway",
        ]),
      );
      expect(new Set(subjects.map(({ user }) => user))).toEqual(new Set(["ann"]));
      for (const place of ["in/written.md", "docs/wide.txt", "web/page.md"])
        expect(subjects.map(({ subject }) => subject)).toContain(
          `secrets redacted: gitlab-token 1; first in ctx://resources/${place}`,
        );
    },
  );

  it("neither redacted nor refused secrets occur in the data directory", async () => {
    for (const mode of ["redact", "refuse"] as const) {
      const { served, key } = world(mode);
      await served.rest(key, "POST sessions/one/commit", { wait: true });
      await served.rest(key, "POST system/wait", {});
      await served.restart();
      const held = await filesWith(served.dataDir, ...WAYS.map((way) => words(mode, way)));
      // uploads stay until they expire
      expect(held.filter(({ path }) => !path.includes("upload"))).toEqual([]);
    }
  });
});
