import type { Settings } from "./settings.ts";

/** Reports missing settings of a remote model. */
export function modelFaults(group: "EMBEDDING" | "LLM" | "VISION" | "SPEECH", found: Settings): string[] {
  const name = <const N extends string>(field: N) => `CTXDB_${group}_${field}` as const;
  const why = `is required while ${name("PROVIDER")} is ${found[name("PROVIDER")]}`;
  const faults: string[] = [];
  if (found[name("MODEL")] === undefined) faults.push(`${name("MODEL")} ${why}`);
  if (found[name("API_KEY")] === undefined && found[name("BASE_URL")] === undefined)
    faults.push(`${name("API_KEY")} ${why}; for your own server without a key, set ${name("BASE_URL")}`);
  return faults;
}
