/**
 * The load generator: a separate process that keeps a fixed number of calls in flight. load.ts starts and
 * controls it.
 */
import { setTimeout as delay } from "node:timers/promises";
import { spreadOf } from "./figure.ts";
import { GrpcConnection, grpcHeaders, grpcMessage } from "./grpc-connection.ts";
import { Http1Connection, requestBytes } from "./http1-connection.ts";
import type { Load, LoadResult } from "./load.ts";

/** Number of calls in flight on one HTTP/2 connection. */
const STREAMS = 8;

type Send = (number: number) => Promise<boolean>;

process.on("message", (load: Load) => {
  run(load).then(
    (result) => process.send!(result),
    (error: unknown) => process.send!({ error: String(error) }),
  );
});

async function run(load: Load): Promise<LoadResult> {
  const { concurrency, perSecond } = load;
  const { senders, close } =
    load.wire === "rest" ? await restSenders(load, concurrency) : await grpcSenders(load, concurrency);
  const times: number[] = [];
  let failed = 0;
  let next = 0;
  const limit = load.seconds === undefined ? load.requests.length : Number.POSITIVE_INFINITY;
  const began = performance.now();
  const end = load.seconds === undefined ? Number.POSITIVE_INFINITY : began + load.seconds * 1000;
  const slot = async (send: Send) => {
    while (next < limit && performance.now() < end) {
      const number = next++;
      const due = perSecond === undefined ? undefined : began + (number * 1000) / perSecond;
      if (due !== undefined && due >= end) return;
      if (due !== undefined) await delay(Math.max(0, due - performance.now()));
      const start = due ?? performance.now();
      if (!(await send(number))) failed++;
      times.push(performance.now() - start);
    }
  };
  await Promise.all(senders.map(slot));
  const seconds = (performance.now() - began) / 1000;
  close();
  return { ...spreadOf(times), calls: times.length, failed, seconds, rate: times.length / seconds };
}

async function restSenders(load: Extract<Load, { wire: "rest" }>, concurrency: number) {
  const requests = load.requests.map(requestBytes);
  const connections = await Promise.all(
    Array.from({ length: concurrency }, () => Http1Connection.open(load.port)),
  );
  const senders = connections.map(
    (connection): Send =>
      async (number) =>
        (await connection.send(requests[number % requests.length]!)).status === 200,
  );
  return { senders, close: () => connections.forEach((connection) => void connection.close()) };
}

async function grpcSenders(load: Extract<Load, { wire: "grpc" }>, concurrency: number) {
  const requests = load.requests.map(({ path, message }) => ({
    headers: grpcHeaders(path),
    message: grpcMessage(Buffer.from(message, "base64")),
  }));
  const connections = await Promise.all(
    Array.from({ length: Math.ceil(concurrency / STREAMS) }, () => GrpcConnection.open(load.port)),
  );
  const senders = Array.from({ length: concurrency }, (_, slot): Send => {
    const connection = connections[slot % connections.length]!;
    return async (number) => {
      const { headers, message } = requests[number % requests.length]!;
      return (await connection.send(headers, message)) > 0;
    };
  });
  return { senders, close: () => connections.forEach((connection) => void connection.close()) };
}
