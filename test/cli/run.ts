// Tests the built command line in a real terminal: npm run build && npm run test:cli [-- --show]
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Terminal } from "./terminal.ts";

const MAIN = fileURLToPath(new URL("../../dist/src/cli/main.js", import.meta.url));
const SECRET = "a-secret-that-nobody-may-see";
/** Enough files that the server creates a task and a progress bar becomes visible. */
const MANY_FILES = 600;
const COLUMNS = 80;

const shows = process.argv.includes("--show");
const socket = `ctxdb-test-${process.pid}`;
let passed = 0;
let failed = 0;

/** One user action and the screen that it must produce. */
async function step(name: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
    passed++;
    console.log(`ok    ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function expectScreen(screen: string, ...patterns: RegExp[]): void {
  if (shows) console.log(screen);
  for (const pattern of patterns)
    if (!pattern.test(screen)) throw new Error(`no ${pattern} on the screen:\n${screen}`);
}

function expectCode(code: number, wanted: number): void {
  if (code !== wanted) throw new Error(`ended with ${code} instead of ${wanted}`);
}

async function prepare(folder: string): Promise<void> {
  await mkdir(join(folder, "bin"));
  await writeFile(join(folder, "bin/ctxdb"), `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`, {
    mode: 0o755,
  });
  await mkdir(join(folder, "notes/drinks"), { recursive: true });
  await writeFile(
    join(folder, "notes/drinks/tea.md"),
    "# Tea\n\nThe keeper of the tower drinks green tea at four.\n",
  );
  await writeFile(join(folder, "notes/start.md"), "# Start\n\nHere begin the notes of the tower.\n");
  await mkdir(join(folder, "many"));
  const texts = Array.from(
    { length: MANY_FILES },
    (_, i) => `# Note ${i}\n\nThe lamp of floor ${i} was lit at dusk, and floor ${i + 1} stayed dark.\n`,
  );
  await Promise.all(texts.map((text, i) => writeFile(join(folder, `many/note-${i}.md`), text)));
}

/** Covers all steps up to a server that runs in a second terminal. */
async function begin(terminal: Terminal, second: Terminal): Promise<string> {
  await step("ctxdb without a command says where to begin", async () => {
    const { screen, code } = await terminal.say("ctxdb");
    expectScreen(
      screen,
      /^ctxdb: the context database/m,
      /^ {2}ctxdb add \.\/docs {2,}add a folder/m,
      /All commands: `ctxdb help`/,
    );
    expectCode(code, 0);
  });
  await step("the help fits the window", async () => {
    const { screen } = await terminal.say("ctxdb help add");
    expectScreen(screen, /Usage: ctxdb add \[options\] <source>/, /--no-wait/);
    if (screen.split("\n").some((line) => line.length > COLUMNS))
      throw new Error(`a line is too long:\n${screen}`);
  });
  await step("a command without a server says so in one line", async () => {
    const { screen, code } = await terminal.say("ctxdb --address 127.0.0.1:1 ls");
    expectScreen(
      screen.replaceAll("\n", ""),
      /no answer from http:\/\/127\.0\.0\.1:1.*start a server with `ctxdb serve`/,
    );
    expectCode(code, 5);
  });
  await step("ctxdb doctor checks the machine", async () => {
    expectScreen(
      (await terminal.say("ctxdb doctor")).screen,
      /^ok {2}Node\.js/m,
      /^ok {2}data directory/m,
      /^(ok|--) {2}FAISS/m,
    );
  });
  let address = "";
  await step("ctxdb serve shows where it listens", async () => {
    await second.type('ctxdb serve --port 0 --data-dir data; echo "[ended $?]"');
    address = /Open +(http:\S+)/.exec(await second.until(/Open +http:\S+/))?.[1] ?? "";
    await terminal.say(`export CTXDB_ADDRESS=${address}`);
    expectScreen((await terminal.say("ctxdb status")).screen, /^Server +http/m, /^Role +root/m);
  });
  return address;
}

async function use(terminal: Terminal): Promise<void> {
  await step("ctxdb add shows a progress bar and then the result", async () => {
    await terminal.type('ctxdb add many; echo "[ended $?]"');
    expectScreen(await terminal.until(/[█░]{8}.* \d+ of \d+/), /[█░]/);
    const { screen, code } = await terminal.ended();
    expectScreen(screen, new RegExp(`^added ctx://resources/many \\(${MANY_FILES} nodes\\)$`, "m"));
    if (/[█░]/.test(screen)) throw new Error(`the bar stayed:\n${screen}`);
    expectCode(code, 0);
  });
  await step("an interrupt ends the waiting of ctxdb add, not the import", async () => {
    await terminal.type('ctxdb add many --to resources/again; echo "[ended $?]"');
    await terminal.until(/[█░]{8}/);
    await terminal.press("C-c");
    const { screen, code } = await terminal.ended();
    expectScreen(screen, /wait for it with `ctxdb tasks wait/, /ctxdb: interrupted/);
    expectCode(code, 130);
  });
  await step("ctxdb find shows URI, passage and reason, in colours", async () => {
    await terminal.say("ctxdb add notes");
    expectScreen(
      (await terminal.say("ctxdb find who drinks green tea? -n 2")).screen,
      /^0\.\d\d {2}ctx:\/\/resources\/notes\/drinks\/tea\.md$/m,
      /keeper of the tower/,
    );
    if (!(await terminal.screen(true)).includes("\u001b[36mctx://resources/notes"))
      throw new Error("the place has no colour");
    await terminal.say("NO_COLOR=1 ctxdb find who drinks green tea? -n 2");
    if (/\u001b\[3\dm/.test(await terminal.screen(true))) throw new Error("colours in spite of NO_COLOR");
  });
  await step("ctxdb tree draws folders and files", async () => {
    expectScreen(
      (await terminal.say("ctxdb tree resources/notes")).screen,
      /^ctx:\/\/resources\/notes$/m,
      /^├── drinks\/$/m,
      /^│ {3}└── tea\.md$/m,
      /^└── start\.md$/m,
    );
  });
  await step("a table is aligned and fits the window", async () => {
    expectScreen(
      (await terminal.say("ctxdb tasks -n 3")).screen,
      /^Task +Kind +State +Done +Started$/m,
      /^\w{26} {2}add_resource .*\d\d:\d\d$/m,
    );
  });
  await step("an error is one red word, a reason and a hint", async () => {
    const { screen, code } = await terminal.say("ctxdb read resources/none");
    expectScreen(screen, /^ctxdb: resource not found: ctx:\/\/resources\/none \(NOT_FOUND\)/m);
    expectCode(code, 3);
    if (!(await terminal.screen(true)).includes("\u001b[31mctxdb:")) throw new Error("the error is not red");
  });
  await step("a reader that ends early gets no stack", async () => {
    const { screen } = await terminal.say("ctxdb glob '**/*.md' | head -n 1");
    expectScreen(screen, /^ctx:\/\/resources\/again\/note-0\.md$|^ctx:\/\/resources\/many\/note-0\.md$/m);
    if (/Error|EPIPE| at /.test(screen)) throw new Error(`more than the line:\n${screen}`);
  });
}

async function finish(terminal: Terminal, second: Terminal, address: string): Promise<void> {
  await step("ctxdb login asks for the key without showing it", async () => {
    await terminal.type(`ctxdb login ${address}; echo "[ended $?]"`);
    await terminal.until(/API key for/);
    await terminal.enter(SECRET);
    const { screen, code } = await terminal.ended();
    expectScreen(screen, /as default of default/);
    if (screen.includes(SECRET)) throw new Error("the key is on the screen");
    expectCode(code, 0);
  });
  await step("Ctrl-C ends the server", async () => {
    await second.press("C-c");
    expectCode((await second.ended()).code, 0);
  });
  await step("ctxdb verify finds the data directory consistent", async () => {
    const { screen, code } = await terminal.say("ctxdb verify --data-dir data");
    expectScreen(screen.replaceAll("\n", ""), /data is consistent: 1 account checked/);
    expectCode(code, 0);
  });
}

const folder = await mkdtemp(join(tmpdir(), "ctxdb-terminal-"));
try {
  await prepare(folder);
  const env = {
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    HOME: folder,
    CTXDB_EMBEDDING_PROVIDER: "light",
  };
  const terminal = await Terminal.open(socket, "first", { env, folder });
  const second = await Terminal.open(socket, "second", { env, folder });
  const address = await begin(terminal, second);
  if (failed === 0) await use(terminal);
  if (failed === 0) await finish(terminal, second, address);
} finally {
  await Terminal.close(socket);
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
