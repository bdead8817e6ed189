import { availableParallelism } from "node:os";
import { join } from "node:path";
import { embeddedText } from "../../src/domain/chunk.ts";
import type { InstantEmbedder, QueuedEmbedder } from "../../src/providers/embedding.ts";
import { openEmbedders } from "../../src/providers/open.ts";
import { silentLog } from "../support/silent-log.ts";
import { Api } from "./harness/api.ts";
import { Corpus } from "./harness/corpus.ts";
import { type Bench, type Figure, ms, perSecond, spreadOf } from "./harness/figure.ts";
import { rawRuns } from "./harness/onnx.ts";
import { cpuSecondsOfAll, megabytes, memoryOf } from "./harness/processes.ts";
import { REPOSITORY, type Running, startServer } from "./harness/server.ts";
import { sourceFolder } from "./harness/source-folder.ts";

/** Words per file, and the number of files of each length. */
const TEXTS = [
  [26, 2000],
  [56, 1200],
  [114, 800],
  [172, 500],
] as const;
const QUICK_SHARE = 0.1;
const LEAST_SHARE = 0.8;
const QUERY_WORDS = [2, 8, 16, 48, 110, 220] as const;
const QUERIES = 100;
const QUICK_QUERIES = 20;
const WARM_FILES = 300;
/** The longest wait that the server allows for an import. */
const WAIT_SECONDS = 300;
/** Markers that the model's tokenizer puts before and after every text. */
const SPECIAL_PIECES = 2;

export const embedding: Bench = {
  name: "embedding",
  title:
    "the shipped model: files added with wait until all their vectors are there, and queries through their process, beside onnxruntime",
  async run({ quick }) {
    const server = await startServer({ env: { CTXDB_EMBEDDING_PROVIDER: "builtin" } });
    const { instant, queued } = openEmbedders("builtin", join(REPOSITORY, "models"), silentLog);
    try {
      const corpus = new Corpus();
      const warm = Array.from({ length: WARM_FILES }, () => corpus.text(TEXTS[0][0]));
      await imported(server, warm, "warm");
      const figures: Figure[] = [];
      for (const [words, files] of TEXTS) {
        const texts = Array.from({ length: quick ? files * QUICK_SHARE : files }, () => corpus.text(words));
        figures.push(...(await throughput(server, instant, texts)));
      }
      figures.push({ what: "memory, all processes, after it", measured: megabytes(memoryOf(server.pid)) });
      return [...figures, ...(await queries(corpus, queued[0]!, instant, quick ? QUICK_QUERIES : QUERIES))];
    } finally {
      await queued[0]?.close();
      await server.stop();
    }
  },
};

/** Adds a folder of files and waits until all processing is done. Returns the elapsed time and CPU time. */
async function imported(
  server: Running,
  texts: readonly string[],
  name: string,
): Promise<{ seconds: number; cpuSeconds: number }> {
  const folder = await sourceFolder(texts, texts.length);
  const api = await Api.open(server.port);
  const [began, used] = [performance.now(), cpuSecondsOfAll(server.pid)];
  await api.post("/api/v1/resources", {
    path: folder.path,
    to: `ctx://resources/${name}`,
    wait: true,
    timeout: WAIT_SECONDS,
  });
  const took = {
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: cpuSecondsOfAll(server.pid) - used,
  };
  api.close();
  await folder.remove();
  return took;
}

async function throughput(
  server: Running,
  instant: InstantEmbedder,
  texts: readonly string[],
): Promise<Figure[]> {
  const pieces = texts.map((text, i) => instant.countPieces(embeddedText(`f${i}`, text)) + SPECIAL_PIECES);
  const length = Math.round(pieces.reduce((sum, one) => sum + one, 0) / texts.length);
  const { seconds, cpuSeconds } = await imported(server, texts, `of-${length}-pieces`);
  const [raw] = await rawRuns(availableParallelism(), [{ length, count: texts.length }]);
  const [rate, rawRate] = [
    texts.length / seconds,
    (1000 * texts.length) / raw!.times.reduce((sum, one) => sum + one, 0),
  ];
  const perText = (cpu: number) => ms((1000 * cpu) / texts.length);
  return [
    {
      what: `texts of ${length} pieces, complete`,
      measured: perSecond(rate),
      beside: `onnxruntime alone, as many threads as cores: ${perSecond(rawRate)}`,
      ratio: rate / rawRate,
      expected: `≥ ${LEAST_SHARE} ×`,
      met: rate >= LEAST_SHARE * rawRate,
    },
    {
      what: "  processor time of a text, all of it",
      measured: perText(cpuSeconds),
      beside: `onnxruntime alone: ${perText(raw!.cpuSeconds)}`,
      ratio: cpuSeconds / raw!.cpuSeconds,
    },
  ];
}

/** Embeds texts one at a time in a separate process, as searches do. */
async function queries(
  corpus: Corpus,
  embedder: QueuedEmbedder,
  instant: InstantEmbedder,
  count: number,
): Promise<Figure[]> {
  await embedder.embedQuery("the process is started");
  const figures: Figure[] = [];
  for (const words of QUERY_WORDS) {
    const texts = Array.from({ length: count }, () => corpus.text(words));
    const pieces = texts.reduce((sum, text) => sum + instant.countPieces(text) + SPECIAL_PIECES, 0);
    const length = Math.round(pieces / count);
    const times: number[] = [];
    for (const text of texts) {
      const began = performance.now();
      await embedder.embedQuery(text);
      times.push(performance.now() - began);
    }
    const [raw] = await rawRuns(1, [{ length, count }]);
    const [own, plain] = [spreadOf(times), spreadOf(raw!.times)];
    figures.push({
      what: `a query of ${length} pieces`,
      measured: `p50 ${ms(own.p50)}, p95 ${ms(own.p95)}`,
      beside: `onnxruntime alone, one thread: p50 ${ms(plain.p50)}, p95 ${ms(plain.p95)}`,
      ratio: own.p50 / plain.p50,
    });
  }
  return figures;
}
