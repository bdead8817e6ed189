import { loadavg } from "node:os";
import { hasPostgres, type Postgres, startPostgres } from "../support/postgres.ts";
import { hasS3, type S3Server, startS3 } from "../support/s3.ts";
import { Api } from "./harness/api.ts";
import { Corpus } from "./harness/corpus.ts";
import { type Bench, type Figure, ms, perSecond } from "./harness/figure.ts";
import type { HttpRequestSpec } from "./harness/http1-connection.ts";
import { type Generator, type LoadResult, startGenerator } from "./harness/load.ts";
import { cpuSeconds } from "./harness/processes.ts";
import { type Running, startServer } from "./harness/server.ts";
import { importTexts } from "./harness/source-folder.ts";

const SERVERS = [1, 2, 3];
const ACCOUNTS = 6;
const FILES = 400;
const WORDS = 150;
const MESSAGE_WORDS = 60;
const QUERIES = 200;
const SECONDS = 4;
const FINDS_AT_ONCE = 6;
const COMMITS_AT_ONCE = 48;
/** Section 15 of the design of scale-out: limits beside the embedded server of the same run. */
const MAX_COMMIT_RATIO = 3;
const MIN_RATE_RATIO = 1 / 3;
const MAX_FIND_RATIO = 1.1;
const MAX_HOP_MS = 0.5;

/** An account with the server that owns it. */
interface Account {
  readonly name: string;
  readonly server: number;
  readonly find: readonly HttpRequestSpec[];
  readonly commit: HttpRequestSpec;
}

/** A load with the CPU time that the servers took for each call, in µs. */
type Measured = LoadResult & { readonly cpuMicros: number };

interface Result {
  readonly commit: Measured;
  readonly commits: Measured;
  readonly find: Measured;
  readonly finds: Measured;
  /** One at a time, through a server that does not own the account. */
  readonly hop?: Measured;
}

export const cluster: Bench = {
  name: "cluster",
  title: `${ACCOUNTS} accounts of ${FILES} files on the embedded server and on 1, 2 and 3 servers over PostgreSQL and an object store; messages of ${MESSAGE_WORDS} words, finds of real length`,
  async run({ quick }) {
    if (!hasPostgres || !hasS3)
      return [{ what: "nothing", measured: "PostgreSQL or the S3 server of the tests is not installed" }];
    const [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
    try {
      const figures: Figure[] = [];
      const embedded = await measured([await startServer()], quick);
      figures.push(...figuresOf("embedded", embedded));
      for (const count of quick ? [2] : SERVERS) {
        const servers = await startCluster(count, postgres, s3);
        const result = await measured(servers, quick);
        figures.push(...figuresOf(`${count} server${count > 1 ? "s" : ""}`, result, embedded));
      }
      return [
        ...figures,
        calculated(embedded),
        { what: "load of the machine", measured: loadavg()[0]!.toFixed(1) },
      ];
    } finally {
      await s3.stop();
      await postgres.stop();
    }
  },
};

async function startCluster(count: number, postgres: Postgres, s3: S3Server): Promise<Running[]> {
  const env = {
    CTXDB_STORE: await postgres.empty(),
    CTXDB_BALANCE_SECONDS: "0",
    ...s3.settings(`bench-${count}`),
  };
  const servers: Running[] = [];
  for (let server = 0; server < count; server++) servers.push(await startServer({ env }));
  return servers;
}

/** Fills the servers, measures them and ends them. */
async function measured(servers: readonly Running[], quick: boolean): Promise<Result> {
  const generators = servers.map(() => startGenerator());
  try {
    const corpus = new Corpus();
    const accounts: Account[] = [];
    for (let i = 0; i < ACCOUNTS; i++)
      accounts.push(await filled(servers, i, corpus, quick ? FILES / 10 : FILES));
    const [first] = accounts;
    if (!first) throw new Error("there is no account");
    const of = (what: "find" | "commit", server: number) =>
      interleaved(
        accounts.filter((account) => account.server === server).map((account) => [account[what]].flat()),
      );
    const seconds = quick ? 0.5 : SECONDS;
    const load = (requests: (server: number) => readonly HttpRequestSpec[], concurrency: number) =>
      loadOn(servers, generators, seconds, requests, concurrency);
    const one = (requests: readonly HttpRequestSpec[], at = 0) =>
      loadOn([servers[at]!], [generators[at]!], seconds, () => requests, 1);
    const share = (all: number) => Math.max(1, Math.round(all / servers.length));
    // the first calls load tables and compile code
    await load((server) => of("find", server), 2);
    return {
      find: await one(first.find),
      finds: await load((server) => of("find", server), share(FINDS_AT_ONCE)),
      ...(servers.length > 1 && { hop: await one(first.find, 1) }),
      commit: await one([first.commit]),
      commits: await load((server) => of("commit", server), share(COMMITS_AT_ONCE)),
    };
  } finally {
    for (const generator of generators) generator.stop();
    for (const server of servers) await server.stop();
  }
}

/** An account is owned by the server at which it is first written. */
async function filled(
  servers: readonly Running[],
  number: number,
  corpus: Corpus,
  files: number,
): Promise<Account> {
  const server = number % servers.length;
  const { port } = servers[server]!;
  const headers = { "x-ctx-account": `team-${number}` };
  await importTexts(
    port,
    headers,
    Array.from({ length: files }, () => corpus.text(WORDS)),
  );
  const api = await Api.open(port, 1, headers);
  const { session_id: session } = await api.post<{ session_id: string }>("/api/v1/sessions", {});
  api.close();
  const post = (path: string, body: object): HttpRequestSpec => ({
    method: "POST",
    path: `/api/v1/${path}`,
    headers,
    body: JSON.stringify(body),
  });
  return {
    name: headers["x-ctx-account"],
    server,
    find: corpus.queries(QUERIES).map((query) => post("search/find", { query })),
    commit: post(`sessions/${session}/messages`, { role: "user", content: corpus.text(MESSAGE_WORDS) }),
  };
}

/** All servers at once, each with a generator of its own. */
async function loadOn(
  servers: readonly Running[],
  generators: readonly Generator[],
  seconds: number,
  requests: (server: number) => readonly HttpRequestSpec[],
  concurrency: number,
): Promise<Measured> {
  const cpu = () => servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const before = cpu();
  const results = await Promise.all(
    servers.map(({ port }, i) =>
      generators[i]!.run({ port, wire: "rest", concurrency, seconds, requests: requests(i) }),
    ),
  );
  const sum = (of: (result: LoadResult) => number) => results.reduce((total, one) => total + of(one), 0);
  const worst = (of: (result: LoadResult) => number) => Math.max(...results.map(of));
  const calls = sum((one) => one.calls);
  return {
    calls,
    failed: 0,
    seconds,
    rate: sum(({ rate }) => rate),
    p50: worst(({ p50 }) => p50),
    p95: worst(({ p95 }) => p95),
    p99: worst(({ p99 }) => p99),
    cpuMicros: ((cpu() - before) / calls) * 1e6,
  };
}

function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}

const said = ({ rate, p50, p99, cpuMicros }: Measured): string =>
  `${perSecond(rate)}, p50 ${ms(p50)}, p99 ${ms(p99)}, ${cpuMicros.toFixed(0)} µs CPU`;

function figuresOf(name: string, result: Result, embedded?: Result): Figure[] {
  const { commit, commits, find, finds, hop } = result;
  const figure = (what: string, one: Measured, limit?: Pick<Figure, "ratio" | "expected" | "met">) => ({
    what: `${name}: ${what}`,
    measured: said(one),
    ...limit,
  });
  const atMost = (ratio: number, most: number) => ({
    ratio,
    expected: `p50 ≤ ${most} × embedded`,
    met: ratio <= most,
  });
  const atLeast = (ratio: number) => ({
    ratio,
    expected: "rate ≥ ⅓ of embedded",
    met: ratio >= MIN_RATE_RATIO,
  });
  const added = (hop?.p50 ?? 0) - find.p50;
  return [
    figure(
      "commits, one at a time",
      commit,
      embedded && atMost(commit.p50 / embedded.commit.p50, MAX_COMMIT_RATIO),
    ),
    figure(
      `commits, ${COMMITS_AT_ONCE} in flight`,
      commits,
      embedded && atLeast(commits.rate / embedded.commits.rate),
    ),
    figure("finds, one at a time", find, embedded && atMost(find.p50 / embedded.find.p50, MAX_FIND_RATIO)),
    figure(`finds, ${FINDS_AT_ONCE} in flight`, finds),
    ...(hop
      ? [
          figure("finds through a server that forwards", hop, {
            expected: `p50 ≤ ${MAX_HOP_MS} ms more`,
            met: added <= MAX_HOP_MS,
          }),
        ]
      : []),
  ];
}

/** What servers with cores of their own would do: finds use no other process than their server. */
const calculated = ({ finds }: Result): Figure => ({
  what: "calculated: finds of 1, 2 and 3 servers with 4 cores each, one of them busy with finds",
  measured: SERVERS.map((count) => perSecond((count * 1e6) / finds.cpuMicros)).join(", "),
});
