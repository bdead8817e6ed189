import { Api } from "./harness/api.ts";
import { Corpus } from "./harness/corpus.ts";
import { type Bench, ms, type Spread, spreadOf } from "./harness/figure.ts";
import { megabytes, memoryOf } from "./harness/processes.ts";
import { startServer } from "./harness/server.ts";
import { importTexts, sourceFolder } from "./harness/source-folder.ts";

const FILES = 10_000;
const OWN_FILES = 700;
const WORDS_PER_FILE = 200;
const OWN_WORDS = 450;
/** Number of calls between two checks whether the import is still running. */
const CALLS_A_LOOK = 20;
const IDLE_FINDS = 400;
const IDLE_WRITES = 40;
const FINDS_A_WRITE = 10;
const MOST_FACTOR = 2;

interface Measured {
  readonly finds: Spread;
  readonly writes: Spread;
}

export const neighbour: Bench = {
  name: "neighbour",
  title: `find in ${OWN_FILES} files, and content/write with wait, while another account imports ${FILES.toLocaleString("en-US")} files`,
  async run({ quick }) {
    const server = await startServer();
    const corpus = new Corpus();
    const texts = (count: number, words: number) => Array.from({ length: count }, () => corpus.text(words));
    const folder = await sourceFolder(texts(quick ? 400 : FILES, WORDS_PER_FILE));
    const [own, other] = [{ "x-ctx-account": "own" }, { "x-ctx-account": "other" }];
    try {
      await importTexts(server.port, own, texts(quick ? 50 : OWN_FILES, OWN_WORDS));
      const mine = await Api.open(server.port, 1, own);
      const theirs = await Api.open(server.port, 1, other);
      const idle = await measure(
        mine,
        corpus,
        "idle",
        ({ finds, writes }) => finds < IDLE_FINDS || writes < IDLE_WRITES,
      );
      const { task_id } = await theirs.post<{ task_id: string }>("/api/v1/resources", {
        path: folder.path,
        to: "ctx://resources/many",
      });
      const isAtWork = async () =>
        ["pending", "running"].includes(
          (await theirs.get<{ status: string }>(`/api/v1/tasks/${task_id}`)).status,
        );
      const busy = await measure(mine, corpus, "busy", isAtWork);
      const used = megabytes(memoryOf(server.pid));
      mine.close();
      theirs.close();
      const line = (what: string, during: Spread, alone: Spread) => ({
        what,
        measured: `p50 ${ms(during.p50)}, p95 ${ms(during.p95)}`,
        beside: `nobody else at work: p50 ${ms(alone.p50)}, p95 ${ms(alone.p95)}`,
        ratio: during.p50 / alone.p50,
        expected: `≤ ${MOST_FACTOR} ×`,
        met: during.p50 <= MOST_FACTOR * alone.p50,
      });
      return [
        line("find", busy.finds, idle.finds),
        line("content/write with wait", busy.writes, idle.writes),
        { what: "memory, all processes, after it", measured: used },
      ];
    } finally {
      await server.stop();
      await folder.remove();
    }
  },
};

/** Runs finds, with a write after every few of them, while `goesOn` returns true. */
async function measure(
  api: Api,
  corpus: Corpus,
  name: string,
  goesOn: (done: { finds: number; writes: number }) => boolean | Promise<boolean>,
): Promise<Measured> {
  const [finds, writes]: [number[], number[]] = [[], []];
  const timed = async (into: number[], call: () => Promise<unknown>) => {
    const began = performance.now();
    await call();
    into.push(performance.now() - began);
  };
  do {
    for (let i = 0; i < CALLS_A_LOOK; i++) {
      const query = corpus.queries(1)[0];
      await timed(finds, () => api.post("/api/v1/search/find", { query }));
      if (i % FINDS_A_WRITE !== 0) continue;
      const write = {
        uri: `ctx://resources/${name}/n${writes.length}.md`,
        content: corpus.text(100),
        mode: "create",
        wait: true,
      };
      await timed(writes, () => api.post("/api/v1/content/write", write));
    }
  } while (await goesOn({ finds: finds.length, writes: writes.length }));
  return { finds: spreadOf(finds), writes: spreadOf(writes) };
}
