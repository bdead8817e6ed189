// Starts the built server and runs clients/scenarios.json with the clients of all languages or of the named
// ones: npm run test:clients -- [LANGUAGE …]. The last line is `N passed, N failed`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { REPOSITORY, startServer } from "../bench/harness/server.ts";

const LANGUAGES = ["typescript", "python", "go", "java", "rust"] as const;
/**
 * Time limit for one language, which includes compilers with cold caches. A language that exceeds it fails
 * and the next one starts.
 */
const LANGUAGE_LIMIT_MS = 900_000;
const ROOT_KEY = "root-key-of-the-client-scenarios";
/** Space for one upload of 100 MB in each account, but not for two. */
const MAX_QUEUED_BYTES = 180 * 1024 * 1024;

interface Sums {
  readonly passed: number;
  readonly failed: number;
}

/** Runs the program of one client. Failures and all output except step reports are printed to stdout. */
async function runLanguage(language: string, address: string): Promise<Sums> {
  const script = join(REPOSITORY, "clients", language, "scenarios.sh");
  if (!existsSync(script)) {
    console.log(`${language}: clients/${language}/scenarios.sh is missing`);
    return { passed: 0, failed: 1 };
  }
  const env = {
    ...process.env,
    CTXDB_ADDRESS: address,
    CTXDB_ROOT_KEY: ROOT_KEY,
    CTXDB_SCENARIOS: join(REPOSITORY, "clients/scenarios.json"),
  };
  const child = spawn("sh", [script], {
    cwd: REPOSITORY,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const late = setTimeout(() => {
    console.log(`${language}: ended after ${LANGUAGE_LIMIT_MS / 1000} s`);
    process.kill(-child.pid!, "SIGKILL");
  }, LANGUAGE_LIMIT_MS);
  const ended = once(child, "close");
  let passed = 0;
  let failed = 0;
  let reports = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const sums = /^(\d+) passed, (\d+) failed$/.exec(line);
    if (sums) {
      passed += Number(sums[1]);
      failed += Number(sums[2]);
      reports++;
    }
    if (!line.startsWith('{"step"') || line.includes('"ok":false') || line.includes('"ok": false'))
      console.log(`${language}: ${line}`);
  }
  const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  clearTimeout(late);
  if (reports === 0 || (code !== 0 && failed === 0)) {
    console.log(`${language}: ended with ${signal ?? code}${reports === 0 ? " before its sums" : ""}`);
    failed++;
  }
  return { passed, failed };
}

const named = process.argv.slice(2);
const unknown = named.find((name) => !LANGUAGES.some((language) => language === name));
if (unknown) throw new Error(`no client is called ${unknown}; there are ${LANGUAGES.join(", ")}`);
const backups = await mkdtemp(join(tmpdir(), "ctxdb-backups-"));
const server = await startServer({
  env: {
    CTXDB_ROOT_API_KEY: ROOT_KEY,
    CTXDB_MAX_QUEUED_BYTES: String(MAX_QUEUED_BYTES),
    CTXDB_BACKUP_DIR: backups,
  },
});
let passed = 0;
let failed = 0;
try {
  for (const language of named.length > 0 ? named : LANGUAGES) {
    const began = performance.now();
    const sums = await runLanguage(language, `127.0.0.1:${server.port}`);
    console.log(
      `${language}: ${sums.passed} passed, ${sums.failed} failed in ${Math.round((performance.now() - began) / 1000)} s`,
    );
    passed += sums.passed;
    failed += sums.failed;
  }
} finally {
  await server.stop();
  await rm(backups, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
