import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ROOT_KEY, serve } from "../support/served.ts";

const document = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), "utf8");

describe("/metrics", () => {
  it("the /metrics page has every metric that the documentation and the dashboard name", async () => {
    // nothing is requested from the provider
    const served = await serve({ CTXDB_GATEWAY_OPENAI_URL: "http://127.0.0.1:1" });
    const answer = await fetch(`http://127.0.0.1:${served.port}/metrics`, {
      headers: { "X-API-Key": ROOT_KEY },
    });
    const text = await answer.text();
    await served.close();
    const known = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!));
    // a server that does not share its store has no metrics about other servers
    const rows = document("metrics.md")
      .split("\n")
      .filter((row) => !row.includes("| with `CTXDB_STORE`: "));
    const tabled = rows.flatMap((row) => /^\| `(ctxdb_\w+)/.exec(row)?.[1] ?? []);
    const shown = [
      ...document("grafana-dashboard.json").matchAll(/\b(?:ctxdb|nodejs|process)_\w+(?=\{)/g),
    ].map(([name]) => name);
    expect(tabled.length).toBeGreaterThan(4);
    expect(shown.length).toBeGreaterThan(10);
    for (const name of [...tabled, ...shown])
      expect([...known]).toContain(name.replace(/_(?:bucket|sum)$/, ""));
    for (const name of known)
      if (name.startsWith("ctxdb_")) expect(tabled, "in docs/metrics.md").toContain(name);
  });
});
