import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { ContentService } from "../../../gen/ctxdb/v1/content_pb.ts";
import { SystemService } from "../../../gen/ctxdb/v1/system_pb.ts";
import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
} from "../../../gen/grpc/health/v1/health_pb.ts";
import { LISTEN_LIMITS } from "../../../src/transport/connections/connection-limits.ts";
import { unary } from "../../../src/transport/operation.ts";
import { openTiny } from "./tiny-server.ts";
import { tinyOperations, USER_KEY } from "./tiny-service.ts";

const headers = { "x-api-key": USER_KEY, "content-type": "application/json" };

/**
 * An operation that reports its start and ends on demand, with its result or, if `obedient`, with the reason
 * of its signal.
 */
function gate(obedient = false) {
  let enter: () => void = () => undefined;
  let leave: () => void = () => undefined;
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const others = tinyOperations().filter(({ name }) => name !== "SystemService.WaitProcessed");
  let reason: unknown;
  const operation = unary(SystemService.method.waitProcessed, async ({ signal }) => {
    signal.addEventListener("abort", () => {
      reason = signal.reason;
      leave();
    });
    enter();
    await left;
    if (obedient) signal.throwIfAborted();
    return { pending: 7, semanticQueue: {}, vectorQueue: {} };
  });
  return { operations: [...others, operation], entered, leave: () => leave(), left, reason: () => reason };
}

describe("one port", () => {
  it("HTTP/1.1 and HTTP/2 are detected even if the first bytes arrive one at a time", async () => {
    const server = await openTiny();
    const socket = connect(server.port, "127.0.0.1");
    socket.setNoDelay(true);
    for (const byte of "PUT /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      await new Promise((sent) => socket.write(byte, sent));
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 404 /);
    const raw = connect(server.port, "127.0.0.1");
    for (const piece of ["P", "R", "I * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0\0\0\x04\0\0\0\0\0"])
      await new Promise((sent) => raw.write(piece, "latin1", sent));
    // an HTTP/2 server first sends a SETTINGS frame (type 4)
    expect((await once(raw, "data"))[0][3]).toBe(4);
    raw.destroy();
    await server.close(0);
  });

  it("connections that send nothing or an incomplete head are cut", async () => {
    const server = await openTiny({ listen: { ...LISTEN_LIMITS, headersTimeoutMs: 50 } });
    for (const start of ["", "P", "GET / HTTP/1.1\r\nHo"]) {
      const socket = connect(server.port, "127.0.0.1", () => socket.write(start));
      socket.resume();
      await once(socket, "close");
    }
    expect((await fetch(`http://127.0.0.1:${server.port}/health`)).status).toBe(200);
    await server.close(0);
  });
});

describe("a call", () => {
  it("the signal of a call is aborted when its client leaves", async () => {
    const wait = gate();
    const server = await openTiny({ operations: wait.operations });
    const leaving = new AbortController();
    const call = fetch(`http://127.0.0.1:${server.port}/api/v1/system/wait`, {
      method: "POST",
      headers,
      body: "{}",
      signal: leaving.signal,
    });
    await wait.entered;
    leaving.abort();
    await expect(call).rejects.toThrow();
    await wait.left;
    expect(wait.reason()).toMatchObject({ code: "UNAVAILABLE" });
    await server.close(0);
  });

  it.each(["connect-timeout-ms", "grpc-timeout"])(
    "the deadline of %s ends a call even if the operation ignores it",
    async (name) => {
      const wait = gate();
      const server = await openTiny({ operations: wait.operations });
      const path = "/ctxdb.v1.SystemService/WaitProcessed";
      const isConnect = name === "connect-timeout-ms";
      const sent = {
        ...headers,
        "content-type": isConnect ? "application/json" : "application/grpc-web+proto",
        [name]: isConnect ? "30" : "30m",
      };
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        method: "POST",
        headers: sent,
        body: isConnect ? "{}" : Buffer.alloc(5),
      });
      const text = await answer.text();
      if (isConnect) expect([answer.status, JSON.parse(text).code]).toEqual([504, "deadline_exceeded"]);
      else expect(text).toContain("grpc-status: 4");
      await server.close(0);
    },
  );

  it("a response too large for gRPC is refused with the name of the method to use", async () => {
    const server = await openTiny();
    const baseUrl = `http://127.0.0.1:${server.port}`;
    const content = "x".repeat(3 * 1024 * 1024 + 1);
    await fetch(`${baseUrl}/api/v1/content/write`, {
      method: "POST",
      headers,
      body: JSON.stringify({ uri: "ctx://big", content }),
    });
    const client = createClient(ContentService, createGrpcTransport({ baseUrl }));
    await expect(client.readContent({ uri: "ctx://big" }, { headers })).rejects.toThrow(
      /resource_exhausted.*DownloadContent/,
    );
    let size = 0;
    for await (const { data } of client.downloadContent({ uri: "ctx://big" }, { headers }))
      size += data.length;
    const { result } = (await (
      await fetch(`${baseUrl}/api/v1/content/read?uri=ctx://big`, { headers })
    ).json()) as { result: string };
    expect([size, result.length]).toEqual([content.length, content.length]);
    await server.close(0);
  });
});

describe("closing", () => {
  it("closing a server lets running calls finish and accepts no new connections", async () => {
    const wait = gate();
    const server = await openTiny({ operations: wait.operations });
    const url = `http://127.0.0.1:${server.port}/api/v1/system/wait`;
    const call = fetch(url, { method: "POST", headers, body: "{}" });
    await wait.entered;
    const closed = server.close(60_000);
    expect(((await (await call).json()) as { result: object }).result).toMatchObject({ pending: 7 });
    await closed;
    expect(wait.reason()).toMatchObject({ code: "UNAVAILABLE" });
    await expect(fetch(url)).rejects.toThrow();
  });

  it.each(["HTTP/1.1", "HTTP/2"])(
    "closing a server ends waiting calls over %s with UNAVAILABLE, whatever connections are idle",
    async (version) => {
      const wait = gate(true);
      const server = await openTiny({ operations: wait.operations });
      const path = "/api/v1/system/wait";
      let answer: Promise<string>;
      if (version === "HTTP/1.1") {
        answer = fetch(`http://127.0.0.1:${server.port}${path}`, {
          method: "POST",
          headers,
          body: "{}",
        }).then((got) => got.text());
      } else {
        const stream = connectHttp2(`http://127.0.0.1:${server.port}`).request({
          ":method": "POST",
          ":path": path,
          ...headers,
        });
        stream.end("{}");
        answer = once(stream, "data").then(([chunk]) => String(chunk));
      }
      const idle = connect(server.port, "127.0.0.1");
      await once(idle, "connect");
      await fetch(`http://127.0.0.1:${server.port}/health`);
      await wait.entered;
      await server.close(60_000);
      expect(JSON.parse(await answer)).toMatchObject({ status: "error", error: { code: "UNAVAILABLE" } });
    },
  );

  it("closing a server cuts a call that does not end in time", async () => {
    const wait = gate();
    const stuck = unary(SystemService.method.getStatus, () => new Promise<never>(() => undefined));
    const others = wait.operations.filter(({ name }) => name !== "SystemService.GetStatus");
    const server = await openTiny({ operations: [...others, stuck] });
    const call = fetch(`http://127.0.0.1:${server.port}/api/v1/system/status`, { headers });
    const other = fetch(`http://127.0.0.1:${server.port}/api/v1/system/wait`, {
      method: "POST",
      headers,
      body: "{}",
    });
    await wait.entered;
    await Promise.all([server.close(20), expect(call).rejects.toThrow(), other]);
  });

  it("a health watch reports that the server is closing", async () => {
    const server = await openTiny();
    const client = createClient(Health, createGrpcTransport({ baseUrl: `http://127.0.0.1:${server.port}` }));
    await expect(client.check({ service: "ctxdb.v1.SearchService" })).resolves.toMatchObject({
      status: Status.SERVING,
    });
    await expect(client.check({ service: "none" })).rejects.toThrow(/not_found/);
    const seen: Status[] = [];
    let closed: Promise<void> | undefined;
    for await (const { status } of client.watch({})) {
      seen.push(status);
      closed ??= server.close(60_000);
    }
    await closed;
    expect(seen).toEqual([Status.SERVING, Status.NOT_SERVING]);
  });
});
