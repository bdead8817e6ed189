// Starts the built server and runs the adapters' test suites against it, all or the named ones: npm run
// test:adapters [-- [--newest] [NAME …]]. Each adapter is installed as users install it, with the pinned
// versions of its framework or with the newest ones. All environments are installed in parallel, and the
// suites of an environment start as soon as it is ready, two at a time; each test uses its own ctxdb user.
// `hermes` is an agent written for OpenViking and needs no adapter. The last line is `N passed, N failed`.
import { startServer } from "../bench/harness/server.ts";
import type { Adapter, Sums } from "./adapter.ts";
import { testHermes } from "./hermes.ts";
import { installJavascript, javascriptAdapters, testJavascript } from "./javascript.ts";
import { installPython, pythonAdapters, testPython } from "./python.ts";

const NEWEST = "--newest";
const HERMES = "hermes";
const LANGUAGES = {
  python: { install: installPython, test: testPython },
  javascript: { install: installJavascript, test: testJavascript },
} as const;

const adapters = [...pythonAdapters(), ...javascriptAdapters()];
const given = process.argv.slice(2);
const isNewest = given.includes(NEWEST);
const names = given.filter((name) => name !== NEWEST);
const known = [...adapters.map(({ name }) => name), HERMES];
const unknown = names.find((name) => !known.includes(name));
if (unknown) throw new Error(`no adapter is called ${unknown}; there are ${known.join(", ")}`);

async function timed(name: string, act: () => Promise<Sums>): Promise<Sums> {
  const began = performance.now();
  const sums = await act().catch((error: unknown): Sums => {
    console.log(error instanceof Error ? error.message : String(error));
    return { passed: 0, failed: 1 };
  });
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${name}: ${sums.passed} passed, ${sums.failed} failed in ${seconds} s`);
  return sums;
}

/** Number of suites run at the same time. They mostly wait for the server, files and the processor. */
const LANES = 2;
let free = LANES;
const waiting: (() => void)[] = [];

/** Waits for a free slot, in order of arrival. */
async function inLane<T>(act: () => Promise<T>): Promise<T> {
  if (free > 0) free--;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await act();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }
}

const isWanted = ({ name }: Adapter) => names.length === 0 || names.includes(name);
const wantedAdapters = adapters.filter(isWanted);
const environments = [...new Set(wantedAdapters.map(({ environment }) => environment))];

const server = await startServer();
const address = `127.0.0.1:${server.port}`;

async function installAndTest(environment: string): Promise<Sums[]> {
  const wanted = wantedAdapters.filter((adapter) => adapter.environment === environment);
  const { install, test } = LANGUAGES[wanted[0]?.language ?? "python"];
  const installed = await timed(`installing for ${environment}`, async () => {
    await install(wanted, isNewest);
    return { passed: 0, failed: 0 };
  });
  if (installed.failed > 0) return [installed];
  return Promise.all(
    wanted.map((adapter) => inLane(() => timed(adapter.name, () => test(adapter, isNewest, address)))),
  );
}

const groups = environments.map(installAndTest);
const isHermesWanted = names.length === 0 || names.includes(HERMES);
const hermes = isHermesWanted ? [inLane(async () => [await timed(HERMES, testHermes)])] : [];
let all: Sums[] = [];
try {
  all = (await Promise.all([...groups, ...hermes])).flat();
} finally {
  await server.stop();
}
const sum = (key: keyof Sums) => all.reduce((total, sums) => total + sums[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
