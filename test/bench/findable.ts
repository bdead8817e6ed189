import { once } from "node:events";
import { ClassicLevel } from "classic-level";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { Api, write } from "./harness/api.ts";
import { Corpus } from "./harness/corpus.ts";
import { type Bench, type Figure, ms, type Spread, spreadOf } from "./harness/figure.ts";
import { embeddingJobs } from "./harness/queue.ts";
import { startServer } from "./harness/server.ts";

const FILES = 300;
/** Number of files that are each searched for once, in the call after the one that added them. */
const FILES_AT_ONCE = 1000;
const WORDS = 120;
const BYTES = 1000;
/** A write counts as lost after this many finds. */
const MOST_TRIES = 1000;

interface Found {
  readonly resources: readonly { readonly uri: string }[];
}

export const findable: Bench = {
  name: "findable",
  title: "one small file at a time: content/write without wait, then find until it is among the hits",
  async run({ quick }) {
    const files = quick ? 50 : FILES;
    const server = await startServer();
    try {
      const api = await Api.open(server.port);
      const corpus = new Corpus();
      const times: number[] = [];
      const writes: number[] = [];
      // the first fifth is a warm-up
      for (let i = 0; i < files * 1.2; i++) {
        const [uri, mark] = [`ctx://resources/notes/n${i}.md`, `mark${i}x`];
        const began = performance.now();
        await api.all([write(uri, `${corpus.text(WORDS)} ${mark}`)]);
        const written = performance.now() - began;
        for (
          let tries = 0;
          !(await api.post<Found>("/api/v1/search/find", { query: mark })).resources.some(
            (hit) => hit.uri === uri,
          );
          tries++
        ) {
          if (tries === MOST_TRIES) throw new Error(`${uri} is not found`);
        }
        if (i < files * 0.2) continue;
        times.push(performance.now() - began);
        writes.push(written);
      }
      api.close();
      const [spread, put] = [spreadOf(times), await syncedPuts(files)];
      const beside = `bare LevelDB synced put: ${said(put)}`;
      return [
        {
          what: "write → found",
          measured: said(spread),
          beside,
          ratio: spread.p50 / put.p50,
          expected: "p99 ≤ 15 ms",
          met: spread.p99 <= 15,
        },
        { what: "of it the write", measured: said(spreadOf(writes)) },
        await misses(quick ? 100 : FILES_AT_ONCE),
      ];
    } finally {
      await server.stop();
    }
  },
};

/** Searches for each file's first sentence once, while the vectors of the previous files are computed. */
async function misses(files: number): Promise<Figure> {
  const server = await startServer({ env: { CTXDB_EMBEDDING_PROVIDER: "builtin" } });
  try {
    const api = await Api.open(server.port);
    const corpus = new Corpus();
    let [missed, busy] = [0, 0];
    for (let i = 0; i < files; i++) {
      const uri = `ctx://resources/notes/n${i}.md`;
      const text = corpus.text(WORDS);
      await api.all([write(uri, text)]);
      const query = text.slice(0, text.indexOf("."));
      const { resources } = await api.post<Found>("/api/v1/search/find", { query });
      if (!resources.some((hit) => hit.uri === uri)) missed++;
      if ((await embeddingJobs(api)) > 0) busy++;
    }
    api.close();
    return {
      what: `${files.toLocaleString("en-US")} files, each found in the next call`,
      measured: `${missed} misses; the Embedding queue was at work ${Math.round((100 * busy) / files)} % of the time`,
      expected: "0 misses",
      met: missed === 0,
    };
  } finally {
    await server.stop();
  }
}

const said = ({ p50, p99 }: Spread) => `p50 ${ms(p50)}, p99 ${ms(p99)}`;

async function syncedPuts(count: number): Promise<Spread> {
  const folder = await temporaryFolder();
  const level = new ClassicLevel<string, Buffer>(folder.path, { valueEncoding: "buffer" });
  if (level.status !== "open") await once(level, "open");
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    await level.put(String(i), Buffer.alloc(BYTES, i), { sync: true });
    times.push(performance.now() - began);
  }
  await level.close();
  await folder.remove();
  return spreadOf(times);
}
