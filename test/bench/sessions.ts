import { Api } from "./harness/api.ts";
import { Corpus } from "./harness/corpus.ts";
import { type Bench, type Figure, median, ms, perSecond, spreadOf } from "./harness/figure.ts";
import type { HttpRequestSpec } from "./harness/http1-connection.ts";
import { type Load, type LoadResult, startGenerator } from "./harness/load.ts";
import { cpuSeconds } from "./harness/processes.ts";
import { type Running, startServer } from "./harness/server.ts";

const MESSAGES = 10_000;
const WORDS = 60;
const SECONDS = 2;
const CONTEXTS = 40;
const AT_ONCE = 8;
const COMMITTED = 200;

export const sessions: Bench = {
  name: "sessions",
  title: `messages of ${WORDS} words into a session of ${MESSAGES.toLocaleString("en-US")}, and its context; generator: own process, bare sockets, kept alive`,
  async run({ quick }) {
    const server = await startServer();
    const generator = startGenerator();
    try {
      const count = quick ? 1000 : MESSAGES;
      const api = await Api.open(server.port, AT_ONCE);
      const corpus = new Corpus();
      const text = corpus.text(WORDS);
      const into = (session: string): HttpRequestSpec => ({
        method: "POST",
        path: `/api/v1/sessions/${session}/messages`,
        body: JSON.stringify({ role: "user", content: text }),
      });
      const begin = async () => (await api.post<{ session_id: string }>("/api/v1/sessions", {})).session_id;
      const [long, short] = [await begin(), await begin()];
      await api.all(Array.from({ length: count }, () => into(long)));
      const figures: Figure[] = [];
      for (const concurrency of [1, AT_ONCE]) {
        const load = (session: string): Load => ({
          port: server.port,
          wire: "rest",
          concurrency,
          seconds: quick ? 0.3 : SECONDS,
          requests: [into(session)],
        });
        const run = async (session: string) => {
          const before = cpuSeconds(server.pid);
          const result = await generator.run(load(session));
          return { ...result, cpu: ((cpuSeconds(server.pid) - before) / result.calls) * 1e6 };
        };
        const beside = await run(short);
        const measured = await run(long);
        const wanted = concurrency === AT_ONCE && { expected: "≥ 3,000/s", met: measured.rate >= 3000 };
        figures.push({
          what: `messages, ${concurrency} in flight`,
          measured: said(measured),
          beside: `into a short session: ${said(beside)}`,
          ratio: measured.rate / beside.rate,
          ...wanted,
        });
      }
      figures.push(await context(server, long, 128_000), await context(server, long, 8000));
      figures.push(await remembered(server, begin, corpus));
      api.close();
      return figures;
    } finally {
      generator.stop();
      await server.stop();
    }
  },
};

const said = ({ rate, p50, p99, cpu }: LoadResult & { readonly cpu: number }) =>
  `${perSecond(rate)}, p50 ${ms(p50)}, p99 ${ms(p99)}, ${cpu.toFixed(0)} µs CPU`;

/**
 * Measures commits with `wait`, each followed by a find for the last message; for comparison the commit of a
 * session with one message.
 */
async function remembered({ port }: Running, begin: () => Promise<string>, corpus: Corpus): Promise<Figure> {
  const api = await Api.open(port);
  const say = (id: string, text: string, role: string) =>
    api.post(`/api/v1/sessions/${id}/messages`, { role, content: text });
  const commit = async (messages: number, name: string) => {
    const session = await begin();
    const last = `The ${name} lighthouse keeper signed the ledger at dawn.`;
    for (let i = 0; i < messages - 1; i++)
      await say(
        session,
        i === 0 ? `I live in Lisbon. ${corpus.text(WORDS)}` : corpus.text(WORDS),
        i % 2 === 0 ? "user" : "assistant",
      );
    await say(session, last, "user");
    const began = performance.now();
    await api.post(`/api/v1/sessions/${session}/commit`, {});
    const { memories } = await api.post<{ memories: { match: string }[] }>("/api/v1/search/find", {
      query: last,
    });
    if (!memories.some(({ match }) => match.includes(last)))
      throw new Error("what was committed is not found");
    return performance.now() - began;
  };
  const first = await commit(COMMITTED, "Eddystone");
  const times: number[] = [];
  for (const name of ["Longstone", "Skerryvore", "Fastnet", "Roker", "Pharos"])
    times.push(await commit(COMMITTED, name));
  const measured = median(times);
  const beside = await commit(1, "Alnes");
  api.close();
  return {
    what: `commit of ${COMMITTED} messages until its memories are found`,
    measured: `p50 ${ms(measured)}; the first of a process ${ms(first)}`,
    beside: `of one message: ${ms(beside)}`,
    expected: "≤ 300 ms",
    met: measured <= 300,
  };
}

async function context({ port, pid }: Running, session: string, budget: number): Promise<Figure> {
  const get = (path: string): HttpRequestSpec[] =>
    Array.from({ length: CONTEXTS }, () => ({ method: "GET", path }));
  const one = await Api.open(port);
  const path = `/api/v1/sessions/${session}`;
  const { messages } = await one.get<{ messages: unknown[] }>(`${path}/context?token_budget=${budget}`);
  // as with finds, the first round compiles the code that the second measures
  await one.all(get(`${path}/context?token_budget=${budget}`));
  const before = cpuSeconds(pid);
  const assembled = spreadOf(await one.all(get(`${path}/context?token_budget=${budget}`)));
  const cpu = ((cpuSeconds(pid) - before) / CONTEXTS) * 1e3;
  const looked = spreadOf(await one.all(get(path)));
  one.close();
  return {
    what: `context of ${budget.toLocaleString("en-US")} tokens, ${messages.length} messages`,
    measured: `p50 ${ms(assembled.p50)}, p99 ${ms(assembled.p99)}, ${ms(cpu)} CPU`,
    beside: `GET of the session: p50 ${ms(looked.p50)}`,
    expected: "p50 ≤ 10 ms",
    met: assembled.p50 <= 10,
  };
}
