import { Api } from "./harness/api.ts";
import { Corpus } from "./harness/corpus.ts";
import { type Bench, type Figure, median, ms } from "./harness/figure.ts";
import { startServer } from "./harness/server.ts";
import { importTexts } from "./harness/source-folder.ts";

const FILES = 700;
const WORDS = 450;
const MESSAGES = 60;
const WORDS_PER_MESSAGE = 40;
const QUERIES = 200;
const MOST_FACTOR = 1.5;
/** Target URI of the find that corresponds to a planned query, by context type. */
const TARGETS: Readonly<Record<string, string>> = {
  resource: "ctx://resources",
  memory: "ctx://user",
  skill: "ctx://agent/skills",
};

interface Planned {
  readonly query: string;
  readonly context_type: string;
}

export const search: Bench = {
  name: "search",
  title: `search with a session of ${MESSAGES} messages, beside finds for the queries that it plans; ${FILES} files`,
  async run({ quick }) {
    const server = await startServer();
    try {
      const corpus = new Corpus();
      await importTexts(
        server.port,
        {},
        Array.from({ length: quick ? 50 : FILES }, () => corpus.text(WORDS)),
      );
      const api = await Api.open(server.port);
      const session_id = await talk(api, corpus);
      const times: number[] = [];
      const sums: number[] = [];
      let planned = 0;
      for (const query of corpus.queries(quick ? 20 : QUERIES)) {
        const began = performance.now();
        const { query_plan } = await api.post<{ query_plan: { queries: Planned[] } }>(
          "/api/v1/search/search",
          { query, session_id },
        );
        const between = performance.now();
        for (const one of query_plan.queries)
          await api.post("/api/v1/search/find", { query: one.query, target_uri: TARGETS[one.context_type] });
        times.push(between - began);
        sums.push(performance.now() - between);
        planned += query_plan.queries.length;
      }
      const recalled = await recalls(api, corpus.queries(quick ? 20 : QUERIES), session_id);
      api.close();
      const [measured, sum] = [median(times), median(sums)];
      return [
        ...recalled,
        {
          what: `search, ${(planned / times.length).toFixed(1)} planned queries each`,
          measured: `p50 ${ms(measured)}`,
          beside: `its queries one by one as finds: p50 ${ms(sum)}`,
          ratio: measured / sum,
          expected: `≤ ${MOST_FACTOR} ×`,
          met: measured <= MOST_FACTOR * sum,
        },
      ];
    } finally {
      await server.stop();
    }
  },
};

/**
 * Compares recalls with finds of the same queries. In a session each recall counts as a turn, which is
 * written.
 */
async function recalls(api: Api, queries: readonly string[], session_id: string): Promise<Figure[]> {
  const timed = async (path: string, body: (query: string) => object): Promise<number> => {
    const times: number[] = [];
    for (const query of queries) {
      const began = performance.now();
      await api.post(path, body(query));
      times.push(performance.now() - began);
    }
    return median(times);
  };
  const find = await timed("/api/v1/search/find", (query) => ({ query }));
  const alone = await timed("/api/v1/search/recall", (query) => ({ query }));
  const going = await timed("/api/v1/search/recall", (query) => ({ query, session_id }));
  const note = await timed(`/api/v1/sessions/${session_id}/messages`, (query) => ({
    role: "user",
    content: query,
  }));
  return [
    {
      what: "recall",
      measured: `p50 ${ms(alone)}`,
      beside: `find: p50 ${ms(find)}`,
      ratio: alone / find,
      expected: `≤ ${MOST_FACTOR} ×`,
      met: alone <= MOST_FACTOR * find,
    },
    {
      what: "recall for a session, a new turn each time",
      measured: `p50 ${ms(going)}`,
      beside: `find and add a message: p50 ${ms(find + note)}`,
      ratio: going / (find + note),
      expected: `≤ ${MOST_FACTOR} ×`,
      met: going <= MOST_FACTOR * (find + note),
    },
  ];
}

/** Creates a session whose first half has been archived and turned into memories. */
async function talk(api: Api, corpus: Corpus): Promise<string> {
  const { session_id } = await api.post<{ session_id: string }>("/api/v1/sessions", {});
  for (let i = 0; i < MESSAGES; i++) {
    const body = { role: i % 2 === 0 ? "user" : "assistant", content: corpus.text(WORDS_PER_MESSAGE) };
    await api.post(`/api/v1/sessions/${session_id}/messages`, body);
    if (i === MESSAGES / 2) await api.post(`/api/v1/sessions/${session_id}/commit`, {});
  }
  return session_id;
}
