// Starts the built server and runs the suites of the adapters against it, of all or of those that are named:
// npm run test:adapters [-- [--newest] [NAME …]]. Each adapter is installed as its users install it, with the
// versions of its framework that it pins, or with the newest. `hermes` is an agent written for OpenViking, which
// needs no adapter. Ends with `N passed, N failed`.
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

const isWanted = ({ name }: Adapter) => names.length === 0 || names.includes(name);
const wantedIn = (language: string) =>
  adapters.filter((adapter) => adapter.language === language && isWanted(adapter));

const all: Sums[] = [];
// installing waits for the network most of the time
const suites = await Promise.all(
  Object.entries(LANGUAGES).map(async ([language, { install, test }]) => {
    const wanted = wantedIn(language);
    if (wanted.length === 0) return { wanted, test };
    const installed = await timed(`installing for ${language}`, async () => {
      await install(wanted, isNewest);
      return { passed: 0, failed: 0 };
    });
    all.push(installed);
    return { wanted: installed.failed > 0 ? [] : wanted, test };
  }),
);
const server = await startServer();
try {
  for (const { wanted, test } of suites)
    for (const adapter of wanted)
      all.push(await timed(adapter.name, () => test(adapter, isNewest, `127.0.0.1:${server.port}`)));
} finally {
  await server.stop();
}
if (names.length === 0 || names.includes(HERMES)) all.push(await timed(HERMES, testHermes));
const sum = (key: keyof Sums) => all.reduce((total, sums) => total + sums[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
