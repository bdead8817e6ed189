// Runs the commands printed in README, docs, clients, compose.yaml and the systemd unit, and compares their
// output with the output shown on the pages, ignoring numbers: npm run build && npm run test:printed [-- PAGE
// …]. Needs port 1933. The last line is `N passed, N failed`.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { type PrintedBlock, printedBlocks } from "./pages.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PORT = 1933;
/** Time limit for a command, which includes compilers with cold caches. */
const BLOCK_LIMIT_MS = 600_000;
const READY_LIMIT_MS = 30_000;
const ROOT_KEY = "0123456789abcdef0123456789abcdef";

/** Pages whose commands the reader types in a folder of their own. */
const TYPED_ELSEWHERE = ["docs/cli.md", "docs/tutorial.md", "docs/recipes/many-tenants.md"];

/** Commands that cannot run here, with the reason. All others run. */
const NOT_RUN: readonly (readonly [command: RegExp, why: string])[] = [
  [/^npm ci && npm test$/, "it runs this script in continuous integration"],
  [/^docker /m, "needs a container engine; npm run test:container runs the steps of the image"],
  [/^git clone \. \/opt\/ctxdb/, "installs a system service; its settings are run below"],
  [/^apt-get install libfaiss-dev/, "changes the machine; .ci/run does it"],
  [/^systemctl stop ctxdb$/m, "needs the system service"],
  [
    /^(?:curl -N|ctxdb watch)\b/,
    "a stream of changes goes on until its reader ends it; its own tests read it",
  ],
  [/^ctxdb webhook create https:/, "needs a receiver on the Internet; the tests of webhooks have their own"],
  [/\bCTXDB_PEER_URL=/, "needs two machines, a database and a bucket; npm run cluster starts such servers"],
  [/^ctxdb store import/m, "needs a database and a bucket; its own tests move data"],
  [/^helm install/m, "needs a Kubernetes cluster; test/unit/config/helm-chart.test.ts renders the chart"],
  [/^npm run bench\b/m, "measures for half an hour"],
  [/^ctxdb cluster move/m, "needs several servers; their tests hand accounts over"],
  [/^claude (mcp add|plugin)/, "needs Claude Code"],
  [/^npx @modelcontextprotocol\/inspector/, "needs a package that is not installed"],
];

interface Server {
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

let passed = 0;
let failed = 0;

function report(name: string, error?: unknown): void {
  if (error === undefined) passed++;
  else failed++;
  console.log(
    error === undefined
      ? `ok    ${name}`
      : `FAIL  ${name}\n${error instanceof Error ? error.message : String(error)}`,
  );
}

async function check(name: string, act: () => Promise<void>): Promise<void> {
  const began = performance.now();
  await act().then(
    () => report(`${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`),
    (error: unknown) => report(name, error),
  );
}

/** Runs a script with bash until the first failing command; returns its output. */
async function bash(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn("bash", ["-euo", "pipefail", "-O", "expand_aliases", "-c", script], {
    cwd,
    env,
    detached: true,
  });
  const late = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), BLOCK_LIMIT_MS);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const [status] = await once(child, "close");
  clearTimeout(late);
  if (status !== 0) throw new Error(`ended with ${status}:\n${output}`);
  if (/"status": ?"error"/.test(output)) throw new Error(`answered with an error:\n${output}`);
  return output;
}

/** Runs a command that starts a server, exactly as printed, and waits until the server listens. */
async function startServer(script: string, env: NodeJS.ProcessEnv): Promise<Server> {
  const child = spawn("bash", ["-euo", "pipefail", "-c", script], { cwd: ROOT, env, detached: true });
  const closed = once(child, "close");
  let output = "";
  const ready = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`did not listen:\n${output}`)), READY_LIMIT_MS);
    const hear = (chunk: Buffer) => {
      output += chunk;
      if (!output.includes('"msg":"listening"')) return;
      clearTimeout(late);
      resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("close", (status) => {
      clearTimeout(late);
      reject(new Error(`ended with ${status}:\n${output}`));
    });
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, "SIGTERM");
    await closed;
  };
  try {
    await ready;
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  return { child, stop };
}

const isServerStart = (script: string): boolean => /(^| )npm start\b/m.test(script);

/**
 * Runs a script after `npm ci`. Each line that starts a server starts a separate one; files created by
 * earlier lines are kept.
 */
function serverStarts(script: string): string[] {
  const lines = script.split("\n");
  const before = lines.filter((line) => !isServerStart(line));
  return lines.filter(isServerStart).map((line) => [...before, line.replace(/^npm ci && /, "")].join("\n"));
}

async function freePort(): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", () => reject(new Error(`port ${PORT} is taken: the printed commands need it`)));
    probe.listen(PORT, "127.0.0.1", resolve);
  });
  await new Promise((resolve) => probe.close(resolve));
}

async function runStarts(block: PrintedBlock, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  for (const [at, script] of serverStarts(block.script).entries()) {
    await check(`${block.page}:${block.line} ${script.split("\n").at(-1)}`, async () => {
      const server = await startServer(script, {
        ...env,
        CTXDB_DATA_DIR: join(folder, `${block.line}-${at}`),
      });
      await server.stop();
    });
  }
}

/** Settings that a page gives to a container or service; the server must start with them. */
async function runSettings(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const compose = readFileSync(join(ROOT, "compose.yaml"), "utf8");
  const key = /^# (CTXDB_ROOT_API_KEY=.*) docker compose up -d$/m.exec(compose)?.[1];
  const services = (parse(compose) as { services: { ctxdb: { environment: Record<string, string> } } })
    .services;
  await check("compose.yaml: the printed key starts a server that others reach", async () => {
    if (key === undefined) throw new Error("compose.yaml prints no key");
    if (Object.keys(services.ctxdb.environment).join() !== "CTXDB_ROOT_API_KEY")
      throw new Error("compose.yaml has other settings");
    const start = `${key} CTXDB_HOST=0.0.0.0 exec node dist/src/main.js`;
    await (await startServer(start, { ...env, CTXDB_DATA_DIR: join(folder, "compose") })).stop();
  });
  const deploy = readFileSync(join(ROOT, "docs/deploy.md"), "utf8");
  await check("docs/deploy.md: the printed key of docker run starts a server that others reach", async () => {
    const line = /^export CTXDB_ROOT_API_KEY=.*$/m.exec(deploy)?.[0];
    if (line === undefined) throw new Error("docs/deploy.md prints no key");
    const start = `${line}\nCTXDB_HOST=0.0.0.0 exec node dist/src/main.js`;
    await (await startServer(start, { ...env, CTXDB_DATA_DIR: join(folder, "docker") })).stop();
  });
  await check("docs/deploy.md and deploy/ctxdb.service: the printed settings start the service", async () => {
    const line = /^printf .*$/m.exec(deploy)?.[0].replace("/etc/ctxdb/ctxdb.env", join(folder, "ctxdb.env"));
    const unit = readFileSync(join(ROOT, "deploy/ctxdb.service"), "utf8");
    const settings = /^Environment=(.*)$/m
      .exec(unit)?.[1]
      ?.replace("/var/lib/ctxdb", join(folder, "service"));
    const program = /^ExecStart=\S+ \/opt\/ctxdb\/(.*)$/m.exec(unit)?.[1];
    if (line === undefined || settings === undefined || program === undefined)
      throw new Error("the service is printed otherwise");
    const start = `${line}\nset -a; . ${join(folder, "ctxdb.env")}; export ${settings}; exec node ${program}`;
    await (await startServer(start, env)).stop();
  });
}

/**
 * Creates a folder with `ctxdb` on its path, the notes that docs/cli.md mentions, and the clients if they can
 * be built here.
 */
async function prepare(folder: string): Promise<NodeJS.ProcessEnv> {
  await mkdir(join(folder, "bin"));
  const cli = join(ROOT, "dist/src/cli/main.js");
  await writeFile(join(folder, "bin/ctxdb"), `#!/bin/sh\nexec node ${cli} "$@"\n`, { mode: 0o755 });
  await mkdir(join(folder, "notes"));
  const note = "# Lighthouse\n\nThe keeper trims the lamp at dusk and logs every ship that passes.\n";
  await writeFile(join(folder, "notes/lighthouse.md"), note);
  return {
    // where rustup and cargo store toolchains, and compilers store caches
    RUSTUP_HOME: join(homedir(), ".rustup"),
    CARGO_HOME: join(homedir(), ".cargo"),
    CARGO_TARGET_DIR: join(ROOT, "clients/rust/target"),
    GOCACHE: join(homedir(), ".cache/go-build"),
    GOMODCACHE: join(homedir(), "go/pkg/mod"),
    PIP_CACHE_DIR: join(homedir(), ".cache/pip"),
    npm_config_cache: join(homedir(), ".npm"),
    ...process.env,
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    // `ctxdb connect` writes to a separate home folder
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, "config"),
    KEY: "key",
    ROOT_KEY,
  };
}

/**
 * Returns the folder in which a page's commands are typed. Clients are built in a copy, so that the checkout
 * stays clean; what Maven builds is ignored by Git, and compiled again if it is moved.
 */
async function placeOf({ page }: PrintedBlock, folder: string): Promise<string> {
  if (TYPED_ELSEWHERE.includes(page)) return folder;
  const client = /^clients\/(\w+)\//.exec(page)?.[1];
  if (client === undefined) return ROOT;
  if (client === "java") return join(ROOT, "clients/java");
  const copy = join(folder, "clients", client);
  // the caches of the compilers are used where they are
  const left = ["node_modules", "target", "dist", ".venv"];
  const filter = (path: string) => !left.includes(basename(path));
  await cp(join(ROOT, "clients", client), copy, { recursive: true, preserveTimestamps: true, filter });
  return copy;
}

/**
 * Removes what differs between runs: numbers, ids and white space. An ellipsis in a page's line stands for
 * any text.
 */
function comparable(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "#")
    .replace(/\d+([.,:]\d+)*/g, "#")
    .replace(/[├└│─]/g, "")
    .replace(/ ?…$/, "")
    .replace(/\s+/g, " ")
    .trim();
}

async function runBlock(block: PrintedBlock, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const name = `${block.page}:${block.line}`;
  const reason = NOT_RUN.find(([command]) => command.test(block.script));
  if (reason !== undefined) return console.log(`--    ${name} is not run: ${reason[1]}`);
  if (isServerStart(block.script)) return runStarts(block, folder, env);
  // a transcript that starts a server brings its own
  const script = block.script.replace(/^ctxdb serve\b.*$/m, "");
  await check(name, async () => {
    const printed = await bash(script, await placeOf(block, folder), env);
    const missing = block.output.filter((line) => !comparable(printed).includes(comparable(line)));
    if (missing.length > 0)
      throw new Error(`the page says that this is printed:\n${missing.join("\n")}\nPrinted was:\n${printed}`);
  });
}

const pages = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "ctxdb-printed-"));
try {
  await freePort();
  const env = await prepare(folder);
  const blocks = printedBlocks(ROOT).filter(({ page }) => pages.length === 0 || pages.includes(page));
  const isStart = ({ script }: PrintedBlock) => isServerStart(script);
  for (const block of blocks.filter(isStart)) await runBlock(block, folder, env);
  if (pages.length === 0) await runSettings(folder, env);
  // docs/operations.md and the recipe for tenants use the root key, and pages about keys need one; all other
  // pages do not
  const isKeyed = ({ page, script }: PrintedBlock) =>
    /\$ROOT_KEY|^ctxdb key /m.test(script) || page === "docs/recipes/many-tenants.md";
  for (const keyed of [false, true]) {
    const settings = {
      ...env,
      CTXDB_DATA_DIR: join(folder, `data-${keyed}`),
      ...(keyed && { CTXDB_ROOT_API_KEY: ROOT_KEY }),
    };
    const server = await startServer("exec npm start", settings);
    // a reader of pages about keys has a saved one, as after `ctxdb login`
    const reader = keyed
      ? {
          CTXDB_API_KEY: (
            await bash('ctxdb admin accounts add reader ann --key "$ROOT_KEY" 2>/dev/null', folder, settings)
          ).trim(),
        }
      : {};
    for (const block of blocks)
      if (!isStart(block) && isKeyed(block) === keyed)
        await runBlock(block, folder, { ...settings, ...reader });
    await server.stop();
  }
} catch (error) {
  report("the printed commands", error);
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
