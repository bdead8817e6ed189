import { create, toBinary } from "@bufbuild/protobuf";
import { StatNodeRequestSchema } from "../../gen/ctxdb/v1/filesystem_pb.ts";
import { GetStatusRequestSchema } from "../../gen/ctxdb/v1/system_pb.ts";
import { Api, write } from "./harness/api.ts";
import { type Bench, type Figure, median, ms, perSecond } from "./harness/figure.ts";
import { type Load, startGenerator } from "./harness/load.ts";
import { cpuSeconds } from "./harness/processes.ts";
import { type Running, startChildServer, startServer } from "./harness/server.ts";

const CONCURRENCY = 32;
const SECONDS = 1.5;
const ROUNDS = 3;
const FILE = "ctx://resources/guides/setup/install.md";

const STATUS = {
  path: "/api/v1/system/status",
  rpc: "/ctxdb.v1.SystemService/GetStatus",
  message: toBinary(GetStatusRequestSchema, create(GetStatusRequestSchema)),
};
const STAT = {
  path: `/api/v1/fs/stat?uri=${encodeURIComponent(FILE)}`,
  rpc: "/ctxdb.v1.FilesystemService/StatNode",
  message: toBinary(StatNodeRequestSchema, create(StatNodeRequestSchema, { uri: FILE })),
};

interface Measured {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** The server's CPU time for one call, in microseconds. */
  readonly cpu: number;
}

export const calls: Bench = {
  name: "calls",
  title: `status and stat, ${CONCURRENCY} in flight; generator: own process, bare sockets, kept alive (gRPC: 4 connections, framed by hand)`,
  async run({ quick }) {
    const [server, http, connect] = await Promise.all([
      startServer(),
      startChildServer("noop-child.ts", ["http"]),
      startChildServer("noop-child.ts", ["connect"]),
    ]);
    const generator = startGenerator();
    const shape = { concurrency: CONCURRENCY, seconds: quick ? 0.3 : SECONDS };
    const rest = ({ port }: Running, path: string): Load => ({
      ...shape,
      port,
      wire: "rest",
      requests: [{ method: "GET", path }],
    });
    const grpc = ({ port }: Running, { rpc, message }: typeof STATUS): Load => {
      return {
        ...shape,
        port,
        wire: "grpc",
        requests: [{ path: rpc, message: Buffer.from(message).toString("base64") }],
      };
    };
    const loads: Record<string, readonly [Running, Load]> = {
      http: [http, rest(http, "/")],
      restStatus: [server, rest(server, STATUS.path)],
      restStat: [server, rest(server, STAT.path)],
      connect: [connect, grpc(connect, STATUS)],
      grpcStatus: [server, grpc(server, STATUS)],
      grpcStat: [server, grpc(server, STAT)],
    };
    try {
      const api = await Api.open(server.port);
      await api.all([write(FILE, "# Install\n\nRun the installer and follow it.\n")]);
      const found: Record<string, Measured[]> = {};
      // the first round is a warm-up
      for (let round = 0; round <= (quick ? 1 : ROUNDS); round++) {
        for (const [name, [of, load]] of Object.entries(loads)) {
          const before = cpuSeconds(of.pid);
          const { rate, p50, p99, calls: count } = await generator.run(load);
          if (round > 0)
            found[name] = [
              ...(found[name] ?? []),
              { rate, p50, p99, cpu: ((cpuSeconds(of.pid) - before) / count) * 1e6 },
            ];
        }
      }
      api.close();
      return report(
        Object.fromEntries(Object.entries(found).map(([name, rounds]) => [name, middle(rounds)])),
      );
    } finally {
      generator.stop();
      await Promise.all([server, http, connect].map((each) => each.stop()));
    }
  },
};

const middle = (rounds: readonly Measured[]): Measured => {
  const of = (field: keyof Measured) => median(rounds.map((round) => round[field]));
  return { rate: of("rate"), p50: of("p50"), p99: of("p99"), cpu: of("cpu") };
};

const said = ({ rate, p50, p99, cpu }: Measured) =>
  `${perSecond(rate)}, p50 ${ms(p50)}, p99 ${ms(p99)}, ${cpu.toFixed(0)} µs CPU`;

function report(found: Record<string, Measured>): Figure[] {
  const line = (what: string, name: string, base: string, title: string): Figure => {
    const [measured, beside] = [found[name]!, found[base]!];
    return {
      what,
      measured: said(measured),
      beside: `${title}: ${said(beside)}`,
      ratio: measured.rate / beside.rate,
    };
  };
  const status = line("gRPC status", "grpcStatus", "connect", "connect-node no-op");
  return [
    line("REST status", "restStatus", "http", "node:http no-op"),
    {
      ...line("REST stat", "restStat", "http", "node:http no-op"),
      expected: "≥ 8,000/s",
      met: found.restStat!.rate >= 8000,
    },
    { ...status, expected: "ratio ≥ .8", met: status.ratio! >= 0.8 },
    line("gRPC stat", "grpcStat", "connect", "connect-node no-op"),
  ];
}
