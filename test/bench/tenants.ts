import { temporaryFolder } from "../support/temporary-folder.ts";
import { Api } from "./harness/api.ts";
import { Corpus } from "./harness/corpus.ts";
import { type Bench, ms, spreadOf } from "./harness/figure.ts";
import type { HttpRequestSpec } from "./harness/http1-connection.ts";
import { startGenerator } from "./harness/load.ts";
import { megabytes, memoryOf } from "./harness/processes.ts";
import { startServer } from "./harness/server.ts";
import { importTexts } from "./harness/source-folder.ts";

const TENANTS = 10_000;
/**
 * Accounts with 200 chunks each whose first find is measured, and accounts used before that to let the engine
 * compile the code of a first find.
 */
const ASKED = 60;
const ASKED_EARLY = 20;
const FILES_OF_ASKED = 69;
const WORDS_PER_FILE = 450;
const IN_FLIGHT = 16;
const LIMIT_MS = 30;

export const tenants: Bench = {
  name: "tenants",
  title: "accounts that nobody uses, and the first find of some of them after a start",
  async run({ quick }) {
    const data = await temporaryFolder();
    const generator = startGenerator();
    const corpus = new Corpus();
    const count = quick ? TENANTS / 20 : TENANTS;
    let server = await startServer({ dataDir: data.path });
    try {
      const idle = memoryOf(server.pid);
      const requests = Array.from({ length: count }, (_, i) => ({
        ...noted(`note ${i}: ${corpus.text(20)}`),
        headers: { "x-ctx-account": `small-${i}` },
      }));
      await generator.run({ port: server.port, wire: "rest", concurrency: IN_FLIGHT, requests });
      for (let i = 0; i < ASKED; i++)
        await importTexts(
          server.port,
          { "x-ctx-account": `asked-${i}` },
          Array.from({ length: FILES_OF_ASKED }, () => corpus.text(WORDS_PER_FILE)),
        );
      await server.stop();
      server = await startServer({ dataDir: data.path });
      const started = memoryOf(server.pid);
      const times: number[] = [];
      // the first one loads the embedding table into memory
      for (let i = 0; i < ASKED; i++) times.push(await firstFind(server.port, `asked-${i}`, corpus));
      const [early, later] = [spreadOf(times.slice(1, ASKED_EARLY)), spreadOf(times.slice(ASKED_EARLY))];
      const name = `${count.toLocaleString("en-US")} accounts`;
      return [
        {
          what: `${name}: memory after a start`,
          measured: megabytes(started),
          beside: `without any: ${megabytes(idle)}`,
        },
        {
          what: `${name}: first find of a cold one with 200 chunks, the first ${ASKED_EARLY} after a start`,
          measured: `p50 ${ms(early.p50)}, p95 ${ms(early.p95)}`,
        },
        {
          what: `${name}: the same, the next ${ASKED - ASKED_EARLY}`,
          measured: `p50 ${ms(later.p50)}, p95 ${ms(later.p95)}`,
          expected: `p95 ≤ ${LIMIT_MS} ms`,
          met: later.p95 <= LIMIT_MS,
        },
      ];
    } finally {
      generator.stop();
      await server.stop();
      await data.remove();
    }
  },
};

/** Waits for the layers, so that the restarted server has no work left. */
const noted = (content: string): HttpRequestSpec => ({
  method: "POST",
  path: "/api/v1/content/write",
  body: JSON.stringify({ uri: "ctx://resources/note.md", content, mode: "create", wait: true }),
});

async function firstFind(port: number, account: string, corpus: Corpus): Promise<number> {
  const api = await Api.open(port, 1, { "x-ctx-account": account });
  const began = performance.now();
  await api.post("/api/v1/search/find", { query: corpus.queries(1)[0] });
  const took = performance.now() - began;
  api.close();
  return took;
}
