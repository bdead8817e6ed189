import { request } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
} from "../../../gen/grpc/health/v1/health_pb.ts";
import { capTimeouts, connectTimeout, grpcTimeout } from "../../../src/transport/rpc/unary.ts";
import type { Transport } from "../../../src/transport/transport.ts";
import { openTiny } from "./tiny-server.ts";
import { USER_KEY } from "./tiny-service.ts";

let server: Transport;

beforeAll(async () => {
  server = await openTiny();
});
afterAll(() => server.close(0));

function post(
  path: string,
  contentType: string,
  body: Buffer,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { "x-api-key": USER_KEY, "content-type": contentType };
    const sent = request({ port: server.port, path, method: "POST", headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("latin1").on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on("error", reject).end(body);
  });
}

/** A string field whose length exceeds the message. */
const BROKEN = Buffer.from([0x0a, 0xff, 0x01, 0x41]);
const framed = (message: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);

describe("a message that cannot be read is the caller's fault", () => {
  const streams = [
    "/grpc.health.v1.Health/Watch",
    "/ctxdb.v1.ContentService/DownloadContent",
    "/ctxdb.v1.ResourceService/UploadFile",
  ];
  const unary = ["/grpc.health.v1.Health/Check", "/ctxdb.v1.SystemService/GetStatus"];

  it.each([...unary, ...streams])(
    "a malformed message to %s over gRPC-Web is answered with INVALID_ARGUMENT",
    async (path) => {
      expect((await post(path, "application/grpc-web+proto", framed(BROKEN))).text).toMatch(
        /grpc-status: ?3\r\n/,
      );
    },
  );

  it.each(streams)(
    "a malformed stream message to %s over Connect is answered with INVALID_ARGUMENT",
    async (path) => {
      const { text } = await post(path, "application/connect+proto", framed(BROKEN));
      expect(text).toContain('"code":"invalid_argument"');
    },
  );

  it.each(unary)("a malformed message to %s over Connect is answered with INVALID_ARGUMENT", async (path) => {
    const { status, text } = await post(path, "application/proto", BROKEN);
    expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([400, "invalid_argument"]);
  });

  it.each([...unary, ...streams, "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"])(
    "a malformed message to %s over gRPC is answered with INVALID_ARGUMENT",
    async (path) => {
      const session = connectHttp2(`http://127.0.0.1:${server.port}`);
      const stream = session.request({
        ":method": "POST",
        ":path": path,
        "content-type": "application/grpc",
        "x-api-key": USER_KEY,
      });
      const trailers = new Promise((resolve) => stream.once("trailers", resolve));
      stream.resume().end(framed(BROKEN));
      expect(await trailers).toMatchObject({ "grpc-status": "3" });
      session.destroy();
    },
  );
});

describe("time-outs of callers", () => {
  it.each([
    ["99999999H", 2_147_483],
    ["596H", 596 * 3600],
    ["597H", 2_147_483],
    ["99999999M", 2_147_483],
    ["99999999S", 2_147_483],
    ["99999999m", 99_999.999],
    ["99999999u", 99.999999],
    ["99999999n", 0.099999999],
    ["0S", 0],
    ["100000000S", undefined],
    ["-1S", undefined],
    ["1.5S", undefined],
    ["1D", undefined],
    ["", undefined],
  ])("the header grpc-timeout: %s means %s seconds", (header, seconds) => {
    const found = grpcTimeout(header);
    if (seconds === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(seconds, 6);
  });

  it("Connect-Timeout-Ms is capped at the longest timer", () => {
    expect([connectTimeout("9999999999"), connectTimeout("1500"), connectTimeout("x")]).toEqual([
      2_147_483,
      1.5,
      undefined,
    ]);
  });

  it("timeouts above the longest timer are capped, and malformed ones are passed on", () => {
    const headers = new Headers({ "grpc-timeout": "99999999H", "connect-timeout-ms": "9999999999" });
    capTimeouts(headers);
    expect(Object.fromEntries(headers)).toEqual({
      "grpc-timeout": "2147483S",
      "connect-timeout-ms": "2147483000",
    });
    const kept = { "grpc-timeout": "5m", "connect-timeout-ms": "nonsense" };
    const others = new Headers(kept);
    capTimeouts(others);
    expect(Object.fromEntries(others)).toEqual(kept);
  });

  it("a stream with a timeout of a million years runs to its own end", async () => {
    const own = await openTiny();
    const transport = createGrpcTransport({ baseUrl: `http://127.0.0.1:${own.port}` });
    const headers = { "grpc-timeout": "99999999H" };
    const states = createClient(Health, transport)
      .watch({ service: "" }, { headers })
      [Symbol.asyncIterator]();
    expect((await states.next()).value).toMatchObject({ status: Status.SERVING });
    // long enough for a timer of one millisecond
    for (let i = 0; i < 20; i++) await fetch(`http://127.0.0.1:${own.port}/health`);
    const next = states.next();
    const closed = own.close(1000);
    expect((await next).value).toMatchObject({ status: Status.NOT_SERVING });
    await closed;
  });
});
