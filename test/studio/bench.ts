// Measures Studio: npm run studio:bench [-- --nodes 20000] [-- --consoles]. Scrolls a tree with very many
// nodes in one folder from end to end, measures load times, and compares bundle sizes with those of two other
// consoles, which --consoles downloads with npm.
import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import type { Browser } from "playwright-core";
import { type Figure, table } from "../bench/harness/figure.ts";
import { type Running, startServer } from "../bench/harness/server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { launch, openTab } from "./browser.ts";
import { cpuOf, type Frames, MAX_FRAME_MS, NAME_HELPER, scroll } from "./frames.ts";

const NODES = 200_000;
/** Number of files created in parallel. */
const BATCH = 1_000;
const IMPORT_LIMIT_MS = 1_800_000;
const MAX_LOAD_MS = 1_000;
const MAX_FIRST_LOAD = 250_000;
const LOADS = 5;
const CONSOLES = ["@bull-board/ui@9.10.2", "@directus/app@18.0.0"] as const;

const brotli = promisify(brotliCompress);
const count = (value: number): string => value.toLocaleString("en-US");
const ms = (value: number): string => `${value.toFixed(1)} ms`;
const kilobytes = (value: number): string => `${(value / 1000).toFixed(0)} kB`;

async function call<T>(port: number, path: string, body?: object): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
    ...(body && {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  const { result, error } = (await answer.json()) as { result: T; error?: { message: string } };
  if (error) throw new Error(`${path}: ${error.message}`);
  return result;
}

/**
 * Creates one folder of `nodes` files, as an import would, but without indexing, which the tree does not
 * show.
 */
async function fill(server: Running, nodes: number): Promise<void> {
  const folder = await temporaryFolder();
  try {
    const root = join(folder.path, "many");
    await mkdir(root);
    for (let from = 0; from < nodes; from += BATCH)
      await Promise.all(
        Array.from({ length: Math.min(BATCH, nodes - from) }, (_, at) =>
          writeFile(join(root, `note-${String(from + at).padStart(6, "0")}.txt`), "A note.\n"),
        ),
      );
    const to = "ctx://resources/many";
    const added = await call<{ task_id?: string }>(server.port, "resources", {
      path: root,
      to,
      build_index: false,
    });
    const end = Date.now() + IMPORT_LIMIT_MS;
    while (added.task_id !== undefined && Date.now() < end) {
      const task = await call<{ status: string; error?: { message: string } }>(
        server.port,
        `tasks/${added.task_id}`,
      );
      if (task.status === "failed") throw new Error(task.error?.message ?? "the import failed");
      if (task.status === "completed") break;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    const { count: stored } = await call<{ count: number }>(server.port, `fs/stat?uri=${to}`);
    if (stored < nodes) throw new Error(`${stored} of ${nodes} nodes are stored`);
  } finally {
    await folder.remove();
  }
}

async function treeFigures(browser: Browser, server: Running, nodes: number): Promise<Figure[]> {
  const url = `http://127.0.0.1:${server.port}`;
  const { page, go, close } = await openTab(browser, url);
  await page.addInitScript(NAME_HELPER);
  await go(`/explorer?uri=${encodeURIComponent("ctx://resources/many/note-000000.txt")}`);
  await page.getByRole("treeitem", { name: "note-000001.txt" }).waitFor();
  const tree = page.getByRole("tree");
  await tree.focus();
  const loadedAt = () =>
    tree.evaluate((element) => Math.round((element.firstElementChild?.clientHeight ?? 0) / 28));
  const began = performance.now();
  // each page of the folder is loaded when its end becomes visible
  while ((await loadedAt()) < nodes) {
    const before = await loadedAt();
    await page.keyboard.press("End");
    await page.waitForFunction(
      (lines) =>
        Math.round((document.querySelector("[role=tree]")?.firstElementChild?.clientHeight ?? 0) / 28) >
        lines,
      before,
    );
  }
  const loading = performance.now() - began;
  const slow = await scroll(browser, page, "[role=tree]", 600);
  const jumps = await scroll(browser, page, "[role=tree]", 60);
  await close();
  const plain = await plainScroll(browser, url);
  return [
    figureOf(`scrolling ${count(nodes)} nodes of one folder in 600 frames`, slow, plain),
    figureOf("the same in 60 jumps", jumps, plain),
    {
      what: `loading all its pages by scrolling to the end (${count(Math.ceil(nodes / 1000))} calls)`,
      measured: `${(loading / 1000).toFixed(1)} s`,
    },
  ];
}

const figureOf = (
  what: string,
  { median, p99, longest, over, frames, cpu }: Frames,
  plain: Frames,
): Figure => ({
  what,
  measured: `CPU: median ${ms(cpu.median)}, p99 ${ms(cpu.p99)}, longest ${ms(cpu.longest)}, ${cpu.over} of ${frames} over ${MAX_FRAME_MS} ms; clock: median ${ms(median)}, p99 ${ms(p99)}, longest ${ms(longest)}, ${over} over`,
  beside: `a plain box with 500 lines: longest ${ms(plain.cpu.longest)} of CPU, ${ms(plain.longest)} by the clock`,
  expected: `no frame over ${MAX_FRAME_MS} ms of CPU`,
  met: cpu.over === 0,
});

/** A page of the same origin without our scripts: the time that this machine and browser need per frame. */
async function plainScroll(browser: Browser, url: string): Promise<Frames> {
  const { page, close } = await openTab(browser, url, { expected: /404/ });
  await page.addInitScript(NAME_HELPER);
  await page.goto(`${url}/health`);
  await page.evaluate(() => {
    const box = document.createElement("div");
    box.id = "plain";
    box.style.cssText = "height:600px;overflow:auto";
    for (let line = 0; line < 500; line++)
      box.append(Object.assign(document.createElement("p"), { textContent: `line ${line}` }));
    document.body.append(box);
  });
  const frames = await scroll(browser, page, "#plain", 600);
  await close();
  return frames;
}

/**
 * Time from the request to the first screen with data, with an empty cache; size of the JavaScript as
 * transferred.
 */
async function loadFigures(browser: Browser, server: Running): Promise<Figure[]> {
  const url = `http://127.0.0.1:${server.port}`;
  const times: number[] = [];
  let bytes = 0;
  let cpu = 0;
  for (let load = 0; load <= LOADS; load++) {
    const { page, close } = await openTab(browser, url);
    const began = performance.now();
    const open = async () => {
      await page.goto(`${url}/studio/`);
      await page.getByText("All parts work").waitFor();
    };
    // tracing takes time, so only the last load is traced, and its duration is not counted
    if (load < LOADS) await open();
    else cpu = await cpuOf(browser, page, open);
    if (load < LOADS) times.push(performance.now() - began);
    bytes = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter((entry): entry is PerformanceResourceTiming => new URL(entry.name).pathname.endsWith(".js"))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    );
    await close();
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(LOADS / 2)] ?? 0;
  return [
    {
      what: "Home, from the request to its data, empty cache",
      measured: `median ${ms(median)}; ${ms(cpu)} of CPU of the page`,
      expected: "≤ 1 s",
      met: median <= MAX_LOAD_MS,
    },
    {
      what: "JavaScript of the first load, as it travels (brotli)",
      measured: kilobytes(bytes),
      expected: "≤ 250 kB",
      met: bytes <= MAX_FIRST_LOAD,
    },
  ];
}

/** Size of all scripts below a folder, compressed in the same way as the server compresses Studio's. */
async function scriptsOf(folder: string): Promise<{ readonly files: number; readonly bytes: number }> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.m?js$/.test(name));
  const sizes = await Promise.all(
    names.map(async (name) => (await brotli(await readFile(join(folder, name)))).byteLength),
  );
  return { files: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

async function bundleFigures(withConsoles: boolean): Promise<Figure[]> {
  const own = await scriptsOf("dist/studio");
  const figures: Figure[] = [
    { what: `Studio: all ${own.files} scripts, compressed`, measured: kilobytes(own.bytes) },
  ];
  if (!withConsoles) return figures;
  const folder = await temporaryFolder();
  try {
    for (const name of CONSOLES) {
      const { stdout } = spawnSync("npm", ["pack", "--silent", name], { cwd: folder.path, encoding: "utf8" });
      const unpacked = join(folder.path, name.replace(/\W/g, "-"));
      await mkdir(unpacked);
      spawnSync("tar", ["xf", join(folder.path, stdout.trim()), "-C", unpacked]);
      const { files, bytes } = await scriptsOf(join(unpacked, "package", "dist"));
      figures.push({
        what: `${name}: all ${files} scripts of its published bundle, compressed likewise`,
        measured: kilobytes(bytes),
        beside: `Studio: ${kilobytes(own.bytes)}`,
      });
    }
  } finally {
    await folder.remove();
  }
  return figures;
}

const args = process.argv.slice(2);
const nodes = args.includes("--nodes") ? Number(args[args.indexOf("--nodes") + 1]) : NODES;
const server = await startServer({ env: { CTXDB_IMPORT_MAX_FILES: String(nodes + 1) } });
const browser = await launch();
try {
  process.stdout.write(`${table(await bundleFigures(args.includes("--consoles")))}\n`);
  process.stdout.write(`${table(await loadFigures(browser, server))}\n`);
  await fill(server, nodes);
  process.stdout.write(`${table(await treeFigures(browser, server, nodes))}\n`);
} finally {
  await browser.close();
  await server.stop();
}
