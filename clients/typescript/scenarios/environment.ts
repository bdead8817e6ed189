import { readFile } from "node:fs/promises";
import type { ScenarioList } from "./scenario.ts";

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; see clients/README.md`);
  return value;
}

/** Settings of a run from the environment: the list, and the server to run it against. */
export async function environment(): Promise<{ list: ScenarioList; address: string; rootKey: string }> {
  const list = JSON.parse(await readFile(setting("CTXDB_SCENARIOS"), "utf8")) as ScenarioList;
  return { list, address: setting("CTXDB_ADDRESS"), rootKey: setting("CTXDB_ROOT_KEY") };
}
