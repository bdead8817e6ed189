import { join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { Api } from "./harness/api.ts";
import { Corpus } from "./harness/corpus.ts";
import { type Bench, type Figure, ms } from "./harness/figure.ts";
import { megabytes, memoryOf } from "./harness/processes.ts";
import { startServer } from "./harness/server.ts";
import { importTexts } from "./harness/source-folder.ts";

const FILES = 5000;
/** Length that yields about three chunks. */
const WORDS_PER_FILE = 450;
const FIRST_FIND_LIMIT_MS = 1500;

export const restart: Bench = {
  name: "restart",
  title:
    "a filled data directory: to the ready line, and to the first find, after a clean stop and after a kill",
  async run({ quick }) {
    const files = quick ? 300 : FILES;
    const folder = await temporaryFolder();
    const dataDir = join(folder.path, "data");
    try {
      const empty = await startServer();
      await empty.stop();
      const corpus = new Corpus();
      let server = await startServer({ dataDir });
      await importTexts(
        server.port,
        {},
        Array.from({ length: files }, () => corpus.text(WORDS_PER_FILE)),
      );
      const figures: Figure[] = [];
      for (const end of ["stop", "kill"] as const) {
        await server[end]();
        server = await startServer({ dataDir });
        const { startedInMs } = server;
        const began = performance.now();
        const api = await Api.open(server.port);
        await api.post("/api/v1/search/find", { query: corpus.queries(1)[0] });
        const found = performance.now() - began;
        api.close();
        figures.push({
          what: `${files.toLocaleString("en-US")} files, ${end === "stop" ? "clean stop" : "kill"}`,
          measured: `ready ${ms(startedInMs)}, first find ${ms(found)} later`,
          beside: `empty data directory: ready ${ms(empty.startedInMs)}`,
          ratio: startedInMs / empty.startedInMs,
          expected: "first find ≤ 1.5 s after the start",
          met: startedInMs + found <= FIRST_FIND_LIMIT_MS,
        });
      }
      figures.push({ what: "memory, all processes", measured: megabytes(memoryOf(server.pid)) });
      await server.stop();
      return figures;
    } finally {
      await folder.remove();
    }
  },
};
