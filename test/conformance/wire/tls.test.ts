import { once } from "node:events";
import { request } from "node:https";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { generate } from "selfsigned";
import { beforeAll, describe, expect, it } from "vitest";
import { SystemService } from "../../../gen/ctxdb/v1/system_pb.ts";
import { LISTEN_LIMITS } from "../../../src/transport/connections/connection-limits.ts";
import type { TlsFiles } from "../../../src/transport/connections/tls.ts";
import { openTiny } from "./tiny-server.ts";
import { USER_KEY } from "./tiny-service.ts";

const headers = { "x-api-key": USER_KEY };
let tls: TlsFiles;

beforeAll(async () => {
  const altNames = [{ type: 7 as const, ip: "127.0.0.1" }];
  const pair = await generate([{ name: "commonName", value: "127.0.0.1" }], {
    extensions: [{ name: "subjectAltName", altNames }],
  });
  tls = { cert: Buffer.from(pair.cert), key: Buffer.from(pair.private) };
});

const ask = async (port: number): Promise<number | undefined> => {
  const asked = request({
    host: "127.0.0.1",
    port,
    path: "/api/v1/system/status",
    headers,
    ca: tls.cert,
    agent: false,
  }).end();
  const [answer] = await once(asked, "response");
  answer.resume();
  await once(answer, "end");
  return answer.statusCode;
};

describe("TLS", () => {
  it("TLS serves every protocol on one port", async () => {
    const server = await openTiny({ tls });
    const baseUrl = `https://127.0.0.1:${server.port}`;
    const nodeOptions = { ca: tls.cert };
    const transports = [
      createGrpcTransport({ baseUrl, nodeOptions }),
      createConnectTransport({ baseUrl, httpVersion: "1.1", nodeOptions }),
      createConnectTransport({ baseUrl, httpVersion: "2", nodeOptions }),
    ];
    for (const transport of transports)
      expect(await createClient(SystemService, transport).getStatus({}, { headers })).toMatchObject({
        version: expect.any(String),
      });
    expect(await ask(server.port)).toBe(200);
    await server.close(0);
  });

  it("a TLS port refuses plain text and old protocol versions", async () => {
    const server = await openTiny({ tls });
    const plain = connect(server.port, "127.0.0.1", () =>
      plain.write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n"),
    );
    let seen = "";
    plain.on("data", (bytes) => {
      seen += bytes.toString("latin1");
    });
    plain.on("error", () => undefined);
    await new Promise((resolve) => plain.once("close", resolve));
    expect(seen).not.toContain("HTTP/");
    const old = connectTls({
      host: "127.0.0.1",
      port: server.port,
      ca: tls.cert,
      maxVersion: "TLSv1.1",
      minVersion: "TLSv1",
    });
    await expect(once(old, "secureConnect")).rejects.toThrow();
    expect(await ask(server.port)).toBe(200);
    await server.close(0);
  });

  it("an unfinished TLS handshake is cut, and the server closes with connections open", async () => {
    const server = await openTiny({ tls, listen: { ...LISTEN_LIMITS, headersTimeoutMs: 50 } });
    const silent = connect(server.port, "127.0.0.1");
    silent.on("error", () => undefined).resume();
    await new Promise((resolve) => silent.once("close", resolve));
    const idle = connectTls({ host: "127.0.0.1", port: server.port, ca: tls.cert, ALPNProtocols: ["h2"] });
    await once(idle, "secureConnect");
    idle.on("error", () => undefined).resume();
    const closed = new Promise((resolve) => idle.once("close", resolve));
    await server.close(0);
    await closed;
  });

  it("new TLS handshakes replace unfinished ones, but never established connections", async () => {
    const strangers = { ...LISTEN_LIMITS.strangers, maxConnections: 2 };
    const server = await openTiny({ tls, listen: { ...LISTEN_LIMITS, strangers } });
    const secured = connectTls({ host: "127.0.0.1", port: server.port, ca: tls.cert });
    await once(secured, "secureConnect");
    const ask = async () => {
      secured.write(`GET /api/v1/system/status HTTP/1.1\r\nHost: x\r\nX-API-Key: ${USER_KEY}\r\n\r\n`);
      expect(String((await once(secured, "data"))[0])).toContain("HTTP/1.1 200");
    };
    await ask();
    const silent = Array.from({ length: 4 }, () => connect(server.port, "127.0.0.1"));
    await Promise.all(
      silent.slice(0, 2).map((socket) => once(socket.on("error", () => undefined).resume(), "close")),
    );
    await ask();
    for (const socket of [secured, ...silent]) socket.destroy();
    await server.close(0);
  });
});
