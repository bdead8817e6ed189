import { existsSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY, startServer } from "../bench/harness/server.ts";
import { checked, run, type Sums } from "./adapter.ts";
import { cacheOf } from "./packages.ts";

/** The release known to work, and the packages that its memory provider needs. */
const PACKAGE = "hermes-agent==0.19.0";
const REQUIREMENTS = ["httpx==0.28.1", "pyyaml==6.0.4", "python-dotenv==1.2.4", "requests==2.34.2"];
const SCRIPT = join(REPOSITORY, "test/adapters/hermes/provider.py");

/** Tests an agent written for OpenViking against a server in compatibility mode. */
export async function testHermes(): Promise<Sums> {
  const venv = join(cacheOf(false, "hermes"), "venv");
  const python = join(venv, "bin/python");
  const installed = join(venv, "installed");
  if (!existsSync(installed)) {
    await checked("python3", ["-m", "venv", "--clear", venv]);
    const pip = ["-m", "pip", "install", "-q", "--no-compile", "--disable-pip-version-check"];
    await checked(python, [...pip, ...REQUIREMENTS]);
    await checked(python, [...pip, "--no-deps", PACKAGE]);
    await checked("touch", [installed]);
  }
  const server = await startServer({ env: { CTXDB_COMPAT: "openviking" } });
  try {
    const env = { ENDPOINT: `http://127.0.0.1:${server.port}`, PYTHONDONTWRITEBYTECODE: "1" };
    return await run(python, [SCRIPT], { env, sumsOf });
  } finally {
    await server.stop();
  }
}

function sumsOf(output: string): Sums {
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
  return { passed: Number(passed ?? 0), failed: Number(failed ?? 1) };
}
