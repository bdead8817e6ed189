// Tests the built server with WebDAV clients: litmus, the test suite for RFC 4918; cadaver, a command-line
// client; and davfs2, which mounts the tree if the machine permits it. All three are Debian packages. npm run
// build && npm run test:webdav. The last line is `N passed, N failed`.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const KEY = "0123456789abcdef0123456789abcdef";
const LIMIT_MS = 120_000;
/** davfs2 uploads files some seconds after they were closed; unmounting waits for that. */
const UNMOUNT_LIMIT_MS = 60_000;

const run = promisify(execFile);
let passed = 0;
let failed = 0;

function report(name: string, error?: unknown): void {
  if (error === undefined) passed++;
  else failed++;
  const reason = error instanceof Error ? error.message : String(error);
  console.log(error === undefined ? `ok    ${name}` : `FAIL  ${name}\n${reason}`);
}

async function check(name: string, act: () => Promise<void>): Promise<void> {
  await act().then(
    () => report(name),
    (error: unknown) => report(name, error),
  );
}

function equal(actual: unknown, expected: unknown): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`expected ${wanted}, found ${found}`);
}

const has = (command: string): Promise<boolean> =>
  run("sh", ["-c", `command -v ${command}`]).then(
    () => true,
    () => false,
  );

async function startServer(folder: string) {
  const env = {
    ...process.env,
    CTXDB_PORT: "0",
    CTXDB_DATA_DIR: join(folder, "data"),
    CTXDB_ROOT_API_KEY: KEY,
  };
  const child = spawn(process.execPath, [join(ROOT, "dist/src/main.js")], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const found = /"port":(\d+).*"msg":"listening"/.exec(output)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once("close", () => reject(new Error(`the server has ended:\n${output}`)));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await once(child, "close");
  };
  return { url: `http://127.0.0.1:${port}/dav/resources/`, stop };
}

/** Counts each test of each suite. */
async function litmus(url: string, folder: string): Promise<void> {
  const { stdout } = await run("litmus", ["-k", url, "me", KEY], { cwd: folder, timeout: LIMIT_MS });
  const suites = [...stdout.matchAll(/summary for `(\w+)': of (\d+) tests run: (\d+) passed, (\d+) failed/g)];
  for (const [, suite, , ok = "0", wrong = "0"] of suites) {
    console.log(`litmus ${suite}: ${ok} passed, ${wrong} failed`);
    passed += Number(ok);
    failed += Number(wrong);
  }
  for (const [line] of stdout.matchAll(/^.*(?:FAIL|WARNING).*$/gm)) console.log(line);
  await check("litmus ran its five suites, without a warning", async () => {
    equal(
      suites.map(([, suite]) => suite),
      ["basic", "copymove", "props", "locks", "http"],
    );
    equal(stdout.includes("WARNING"), false);
  });
}

/**
 * A typical session of a file manager: creates, fills, reads, copies, moves, locks, describes and removes.
 */
async function cadaver(url: string, folder: string): Promise<void> {
  await writeFile(join(folder, ".netrc"), `machine 127.0.0.1 login me password ${KEY}\n`, { mode: 0o600 });
  await writeFile(join(folder, "letter.md"), "# A letter\n\nDear reader.\n");
  const session = async (lines: readonly string[]): Promise<string> => {
    const child = spawn("cadaver", [url], { cwd: folder, env: { ...process.env, HOME: folder } });
    child.stdin.end(`${[...lines, "quit"].join("\n")}\n`);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
      });
    await once(child, "close");
    return output;
  };
  await check("cadaver makes a folder, fills it, and reads back the same bytes", async () => {
    const output = await session(["mkcol desk", "cd desk", "put letter.md", "get letter.md copy.md", "ls"]);
    equal(await readFile(join(folder, "copy.md"), "utf8"), "# A letter\n\nDear reader.\n");
    equal(/letter\.md\s+25/.test(output), true);
  });
  await check("cadaver copies, moves, locks and describes files", async () => {
    const output = await session([
      "cd desk",
      "copy letter.md second.md",
      "move second.md third.md",
      "lock third.md",
      "put letter.md third.md",
      "discover third.md",
      "unlock third.md",
      "propset third.md colour blue",
      "propget third.md colour",
      "ls",
    ]);
    for (const wanted of [
      /Copying.*succeeded/,
      /Moving.*succeeded/,
      /Locking.*succeeded/,
      /Unlocking.*succeeded/,
      /blue/,
    ])
      if (!wanted.test(output)) throw new Error(`no ${wanted} in:\n${output}`);
    equal(/third\.md\s+25/.test(output), true);
  });
  await check("cadaver removes a folder with all it holds", async () => {
    const output = await session(["rmcol desk", "ls"]);
    equal(
      [/Deleting.*succeeded/.test(output), /desk/.test(output.slice(output.lastIndexOf("Listing")))],
      [true, false],
    );
  });
}

/**
 * Mounts the tree as a local folder. Files are addressed one by one, since davfs2 1.6 cannot list a folder
 * under Linux 6.18 with any server.
 */
async function davfs(url: string, folder: string): Promise<void> {
  const [place, secrets, config] = [
    join(folder, "mount"),
    join(folder, "secrets"),
    join(folder, "davfs2.conf"),
  ];
  await mkdir(place);
  await writeFile(secrets, `${url} me ${KEY}\n`, { mode: 0o600 });
  await writeFile(config, `secrets ${secrets}\ndelay_upload 0\nask_auth 0\n`);
  const mount = () => run("mount.davfs", [url, place, "-o", `conf=${config}`], { timeout: LIMIT_MS });
  const unmount = () => run("umount", [place], { timeout: UNMOUNT_LIMIT_MS });
  const bash = (script: string) =>
    run("bash", ["-euo", "pipefail", "-c", script], { cwd: place, timeout: LIMIT_MS });
  try {
    await mount();
  } catch (error) {
    console.log(`--    davfs2 cannot mount here: ${String(error).split("\n").slice(0, 3).join(" ")}`);
    return;
  }
  try {
    await check("davfs2: files are copied in, renamed, edited and removed as in any folder", async () => {
      await bash(`
        mkdir -p project/src copy
        printf 'export const a = 1;\\n' > project/src/a.ts
        head -c 300000 /dev/urandom > project/data.bin
        cp project/src/a.ts copy/a.ts
        cp project/data.bin copy/data.bin
        mv copy/a.ts copy/b.ts
        printf 'more\\n' >> copy/b.ts
        rm project/src/a.ts
        rmdir project/src
        sync
      `);
    });
    await unmount();
    await mount();
    await check("davfs2: what was saved is there after the folder was mounted again", async () => {
      const { stdout } = await bash(
        "cat copy/b.ts; cmp project/data.bin copy/data.bin; test ! -e project/src",
      );
      equal(stdout, "export const a = 1;\nmore\n");
    });
  } finally {
    await unmount();
  }
}

const folder = await mkdtemp(join(tmpdir(), "ctxdb-webdav-"));
const server = await startServer(folder);
try {
  if (await has("litmus")) await litmus(server.url, folder);
  else report("litmus", "it is not installed: apt-get install litmus");
  if (await has("cadaver")) await cadaver(server.url, folder);
  else console.log("--    cadaver is not installed: apt-get install cadaver");
  const canMount = await access("/dev/fuse").then(
    () => has("mount.davfs"),
    () => false,
  );
  if (canMount && process.getuid?.() === 0) await davfs(server.url, folder);
  else console.log("--    davfs2 is not installed, or this machine mounts nothing: apt-get install davfs2");
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
