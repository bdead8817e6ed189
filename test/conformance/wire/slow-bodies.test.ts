import { createServer } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UploadFileRequestSchema } from "../../../gen/ctxdb/v1/resource_pb.ts";
import { ServiceError } from "../../../src/domain/errors.ts";
import { bodyPieces } from "../../../src/transport/request-body.ts";
import type { Transport } from "../../../src/transport/transport.ts";
import { framed } from "../../support/framed.ts";
import { openTiny } from "./tiny-server.ts";
import { USER_KEY } from "./tiny-service.ts";

/** Nobody sends as fast, so that a body is given up when its time is over. */
const PACE = { silenceMs: 60_000, graceMs: 100, bytesPerSecond: 1e12, totalMs: 60_000 };
const FORM = "multipart/form-data; boundary=x";
const BEGUN =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';

let server: Transport;
beforeAll(async () => {
  server = await openTiny({ pace: PACE });
});
afterAll(() => server.close(0));

/** Sends a request whose body never ends, byte by byte, and returns the answer. */
function drip(port: number, line: string, headers: Record<string, string>, begun = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${USER_KEY}\r\n${head.join("")}`);
    socket.write(`Transfer-Encoding: chunked\r\n\r\n`);
    if (begun !== "") socket.write(`${begun.length.toString(16)}\r\n${begun}\r\n`);
    const send = () => {
      if (answer !== "" || socket.destroyed) return;
      socket.write("1\r\n \r\n");
      setImmediate(send);
    };
    send();
    socket.on("data", (part) => {
      answer += part;
      if (answer.includes("}")) socket.destroy();
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

describe("a body that arrives too slowly", () => {
  it.each([
    ["a JSON body", "POST /api/v1/content/write", "application/json", "{"],
    ["a form before its file", "POST /api/v1/resources/temp_upload", FORM, ""],
    ["the file of a form", "POST /api/v1/resources/temp_upload", FORM, BEGUN],
    ["a message of MCP", "POST /mcp", "application/json", "{"],
    ["a unary message of Connect", "POST /ctxdb.v1.SystemService/GetStatus", "application/json", "{"],
  ])("%s that is too slow over HTTP/1.1 gets an error with the reason", async (_, line, type, begun) => {
    const answer = await drip(server.port, line, { "Content-Type": type }, begun);
    expect(answer).toMatch(/^HTTP\/1\.1 (408|504|200) /);
    expect(answer).toMatch(/bytes a second: send it again over a faster connection/);
  });

  it.each([
    ["application/grpc", /"grpc-status":"4"/],
    ["application/connect+proto", /"deadline_exceeded"/],
  ])("an upload that is too slow over HTTP/2 ends with an exceeded deadline: %s", async (type, expected) => {
    const session = connectHttp2(`http://127.0.0.1:${server.port}`);
    const stream = session.request({
      ":method": "POST",
      ":path": "/ctxdb.v1.ResourceService/UploadFile",
      "content-type": type,
      te: "trailers",
      "x-api-key": USER_KEY,
    });
    let told = "";
    const note = (headers: object) => {
      told += JSON.stringify(headers);
    };
    stream
      .on("response", note)
      .on("trailers", note)
      .on("error", () => undefined);
    stream.on("data", (part) => {
      told += part;
    });
    const part = { case: "header", value: { name: "a.bin" } } as const;
    stream.write(framed(toBinary(UploadFileRequestSchema, create(UploadFileRequestSchema, { part }))));
    // the beginning of a message of 64 KiB
    stream.write(Buffer.from([0, 0, 1, 0, 0]));
    const ended = new Promise((resolve) => stream.once("end", resolve).once("close", resolve));
    let isEnded = false;
    ended.then(() => {
      isEnded = true;
    });
    while (!isEnded) {
      if (stream.writable) stream.write(" ");
      await new Promise(setImmediate);
    }
    expect(told).toMatch(expected);
    expect(told).toMatch(/faster(?: |%20)connection/);
    session.destroy();
  });

  it("reading a body that arrives too slowly fails while its client can still read the response", async () => {
    const http = createServer(async (request, response) => {
      let size = 0;
      try {
        for await (const piece of bodyPieces(request, { pace: PACE })) size += piece.byteLength;
      } catch (error) {
        response.writeHead(error instanceof ServiceError ? error.http : 500);
        response.end(`{${size > 1 ? "some" : "nothing"}}`);
        request.resume();
      }
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const { port } = http.address() as AddressInfo;
    expect(await drip(port, "PUT /a", {})).toMatch(/^HTTP\/1\.1 408 [\s\S]*\{some\}/);
    http.close();
  });
});
