// Takes the screenshots of Studio in the README, from the built server with this repository's guides: npm run
// studio:pictures With `--all FOLDER [SCREEN…]`: every screen, or the named ones, at three widths in both
// themes, for review.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { WebhookReceiver } from "../support/webhook-receiver.ts";
import { launch, openTab, signIn } from "./browser.ts";
import { type BuiltServer, ROOT_KEY, startServer } from "./server.ts";

const PICTURES = "docs/pictures";
const WIDTHS = [390, 1024, 1920] as const;
const SETTLE_MS = 1_200;

async function fill(server: BuiltServer): Promise<string> {
  for (const name of (await readdir("docs")).filter((file) => file.endsWith(".md"))) {
    const form = new FormData();
    form.set("file", new Blob([await readFile(join("docs", name))]), name);
    const { temp_path } = await server.rest<{ temp_path: string }>("POST resources/temp_upload", form);
    await server.rest("POST resources", { temp_path, parent: "ctx://resources/guides", source_name: name });
  }
  await server.rest("POST skills", {
    data: {
      name: "release-notes",
      description: "Writes release notes from merged changes. Use when a release is prepared.",
      content: "# Release notes\n\n1. List what was merged.\n2. Group it by what users notice.",
    },
  });
  const { session_id } = await server.rest<{ session_id: string }>("POST sessions", {});
  const say = (message: object) => server.rest(`POST sessions/${session_id}/messages`, message);
  await say({
    role: "user",
    content: "Hi! I am Maria. I live in Hamburg and I prefer green tea over coffee.",
  });
  await say({ role: "assistant", content: "Nice to meet you, Maria." });
  await say({ role: "user", content: "I moved to Lübeck last week. My manager is Jonas." });
  await server.rest(`POST sessions/${session_id}/commit`, {});
  await say({ role: "user", content: "How do I back up the database?" });
  const tool = {
    type: "tool",
    tool_id: "t1",
    tool_name: "ctxdb.find",
    tool_input: { query: "backup" },
    tool_output: "operations.md",
    tool_status: "completed",
  };
  await say({
    role: "assistant",
    parts: [
      { type: "text", text: "Let me look it up in the guides." },
      tool,
      { type: "context", uri: "ctx://resources/guides/operations" },
    ],
  });
  await server.rest("POST relations/link", {
    from_uri: "ctx://resources/guides/memory/memory.md",
    to_uri: "ctx://resources/guides/retrieval/retrieval.md",
    reason: "scores of episodes",
  });
  const guides = "ctx://resources/guides";
  await server.rest("POST access/grants", {
    uri: guides,
    grantee_type: "everyone",
    level: "write",
    effect: "deny",
  });
  await server.rest("POST access/grants", {
    uri: MEMORY,
    grantee_type: "agent",
    grantee_id: "editor",
    level: "write",
  });
  await server.rest("DELETE fs?uri=ctx://resources/guides/why&recursive=true");
  receiver.answer = ({ body }) => (body.type === "test" ? 204 : 503);
  const { webhook } = await server.rest<{ webhook: { webhook_id: string } }>("POST webhooks", {
    url: receiver.url,
    uri: guides,
    kinds: ["added", "removed"],
    description: "Builds the pages of the guides",
  });
  await server.rest(`POST webhooks/${webhook.webhook_id}/test`, {});
  await server.rest("POST fs/mkdir", { uri: `${guides}/drafts` });
  await server.rest("POST system/wait", { timeout: 60 });
  return session_id;
}

/** Creates a workspace with users and groups. */
async function populate(keyed: BuiltServer): Promise<void> {
  await keyed.rest("POST admin/accounts", { account_id: "harbour", admin_user_id: "ada" });
  for (const user of ["ben", "cleo"])
    await keyed.rest("POST admin/accounts/harbour/users", { user_id: user });
  for (const group of ["pilots", "writers"])
    await keyed.rest("POST admin/accounts/harbour/groups", { group_id: group });
  await keyed.rest("PUT admin/accounts/harbour/groups/writers/members/ben");
}

const receiver = await WebhookReceiver.open();
const node = (uri: string) => `/explorer?uri=${encodeURIComponent(uri)}`;
const MEMORY = "ctx://resources/guides/memory/memory.md";

const screens = (session: string): Readonly<Record<string, string>> => ({
  home: "/",
  explorer: node(MEMORY),
  folder: node("ctx://resources/guides"),
  access: `${node(MEMORY)}&view=access`,
  relations: `${node(MEMORY)}&view=relations`,
  search: "/search?q=how+are+memories+made+of+a+conversation",
  evaluation: "/evaluation",
  sessions: `/sessions?id=${session}`,
  memories: `/memories?uri=${encodeURIComponent("ctx://user/default/memories/profile.md")}`,
  skills: "/skills?name=release-notes",
  tasks: "/tasks",
  trash: "/trash",
  webhooks: "/webhooks",
  administration: "/administration",
  users: "/administration?account=harbour&user=ada",
  account: "/account",
});

const [flag, folder, ...chosen] = process.argv.slice(2);
const server = await startServer({
  settings: { CTXDB_WEBHOOK_ALLOW_PRIVATE: "true", CTXDB_WEBHOOK_ATTEMPTS: "1" },
});
const keyed = await startServer({ keyed: true });
const browser = await launch();
try {
  await populate(keyed);
  const paths = screens(await fill(server));
  const take = async (name: string, width: number, theme: "light" | "dark"): Promise<Buffer> => {
    const isKeyed = name === "users";
    const tab = await openTab(browser, isKeyed ? keyed.url : server.url, {
      expected: /status of 401/,
      width,
      theme,
      height: width < 500 ? 844 : Math.min(1080, Math.round(width * 0.66)),
    });
    await tab.go(paths[name] ?? "/");
    if (isKeyed) await signIn(tab.page, ROOT_KEY);
    await tab.page.waitForTimeout(SETTLE_MS);
    if (name === "search")
      await tab.page
        .getByText(/^Why: /)
        .first()
        .click();
    const picture = await tab.page.screenshot();
    if (tab.faults.length > 0) console.log(name, width, theme, tab.faults);
    await tab.close();
    return picture;
  };
  if (flag === "--all" && folder !== undefined) {
    await mkdir(folder, { recursive: true });
    for (const name of chosen.length > 0 ? chosen : Object.keys(paths))
      for (const width of WIDTHS)
        for (const theme of ["light", "dark"] as const)
          await writeFile(join(folder, `${name}-${width}-${theme}.png`), await take(name, width, theme));
  } else {
    await mkdir(PICTURES, { recursive: true });
    for (const [name, theme] of [
      ["search", "light"],
      ["explorer", "dark"],
    ] as const) {
      const small = await sharp(await take(name, 1280, theme))
        .png({ palette: true, colours: 64, compressionLevel: 9, effort: 10 })
        .toBuffer();
      await writeFile(join(PICTURES, `studio-${name}.png`), small);
    }
  }
} finally {
  await browser.close();
  await server.close();
  await keyed.close();
  await receiver.close();
}
