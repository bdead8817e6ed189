import { connect } from "node:net";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AccountService } from "../../../gen/ctxdb/v1/account_pb.ts";
import { ContentService } from "../../../gen/ctxdb/v1/content_pb.ts";
import { ErrorDetailSchema } from "../../../gen/ctxdb/v1/error_pb.ts";
import { FilesystemService } from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import { notFound, ServiceError } from "../../../src/domain/errors.ts";
import { errorTrailers } from "../../../src/transport/rpc/status.ts";
import type { Transport } from "../../../src/transport/transport.ts";
import { openTiny } from "./tiny-server.ts";
import { authenticate, USER_KEY } from "./tiny-service.ts";

let server: Transport;
let base: string;

beforeAll(async () => {
  server = await openTiny();
  base = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.close(1000));

/**
 * Sends the pieces, each when the promise before it has resolved, and returns what the server sends until it
 * closes the connection.
 */
function exchange(port: number, ...pieces: readonly (string | Promise<string>)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", async () => {
      for (const piece of pieces) socket.write(await piece);
    });
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
    socket.on("error", reject);
  });
}

describe("a key that is taken away while the body is on its way", () => {
  const body = '{"uri":"ctx://resources/planted.txt","content":"x"}';
  const heads: Readonly<Record<string, string>> = {
    REST: "POST /api/v1/content/write HTTP/1.1",
    Connect: "POST /ctxdb.v1.ContentService/WriteContent HTTP/1.1",
  };

  it.each(Object.keys(heads))(
    "a key that is revoked while the body arrives is refused over %s",
    async (wire) => {
      let isRevoked = false;
      let asked: () => void = () => undefined;
      const firstAsked = new Promise<void>((resolve) => (asked = resolve));
      const guarded = await openTiny({
        authenticate: (identity) => {
          if (isRevoked) throw new ServiceError("UNAUTHENTICATED", "the key was removed");
          asked();
          return authenticate(identity);
        },
      });
      const headers = [
        "Host: localhost",
        "Connection: close",
        "Content-Type: application/json",
        `X-API-Key: ${USER_KEY}`,
        `Content-Length: ${body.length}`,
      ];
      const rest = firstAsked.then(() => {
        isRevoked = true;
        return body.slice(5);
      });
      const answer = await exchange(
        guarded.port,
        `${heads[wire]}\r\n${headers.join("\r\n")}\r\n\r\n${body.slice(0, 5)}`,
        rest,
      );
      expect(answer).toMatch(/^HTTP\/1.1 401 /);
      await guarded.close(1000);
    },
  );
});

describe("the typed wires", () => {
  const headers = { "x-api-key": USER_KEY };
  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => ConnectError.from(error),
    );

  it("typed protocols refuse a caller without permission before they parse the body", async () => {
    const answer = await fetch(`${base}/${AccountService.typeName}/ListUsers`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: "{broken",
    });
    expect(answer.status).toBe(403);
  });

  it("NOT_FOUND for the longest URI fits into the metadata that gRPC clients accept", async () => {
    const uri = `ctx://resources/none/${Array(15).fill("日".repeat(80)).join("/")}`;
    const transport = createGrpcTransport({
      baseUrl: base,
      nodeOptions: { settings: { maxHeaderListSize: 8192 } },
    });
    const unary = await failureOf(createClient(FilesystemService, transport).statNode({ uri }, { headers }));
    const stream = createClient(ContentService, transport)
      .downloadContent({ uri }, { headers })
      [Symbol.asyncIterator]();
    for (const error of [unary, await failureOf(stream.next())]) {
      expect(error?.code).toBe(Code.NotFound);
      expect(error?.findDetails(ErrorDetailSchema)[0]?.code).toBe("NOT_FOUND");
    }
  });

  it("error trailers contain the whole error if it fits, and always its code", () => {
    const sizeOf = (error: ServiceError) => Object.values(errorTrailers(error)).join("").length;
    expect(errorTrailers(notFound("resource", "ctx://resources/ü"))["grpc-message"]).toBe(
      "resource not found: ctx://resources/%C3%BC",
    );
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key ${i}`, "value ".repeat(20)]));
    for (const error of [
      notFound("upload", "\u{1f600}".repeat(500_000)),
      new ServiceError("INTERNAL", "x".repeat(9000), many),
    ]) {
      expect(sizeOf(error)).toBeLessThan(6 * 1024);
      expect(errorTrailers(error)["grpc-status"]).not.toBe("0");
    }
  });
});

describe("HTTP", () => {
  const ask = (lines: readonly string[]) =>
    exchange(
      server.port,
      `${["Connection: close", "Host: localhost"].reduce((head, line) => `${head}\r\n${line}`, lines.join("\r\n"))}\r\n\r\n`,
    );

  it("an HTTP request may have an absolute URL as its target", async () => {
    expect(
      await ask(["GET http://localhost/api/v1/system/status?x=1 HTTP/1.1", `X-API-Key: ${USER_KEY}`]),
    ).toMatch(/^HTTP\/1.1 200 /);
    expect(await ask(["GET HTTP://localhost HTTP/1.1"])).toMatch(/^HTTP\/1.1 200 .*"name":"ctxdb"/s);
  });

  it("the host of an absolute URL is checked instead of the Host header", async () => {
    const open = await openTiny({ keyless: true });
    const answer = await exchange(
      open.port,
      "GET http://evil.example/openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
    await open.close(1000);
  });

  it("error details are cut if a caller's text is too long", async () => {
    const answer = await fetch(`${base}/api/v1/fs/stat?uri=ctx://resources/none`, {
      headers: { "x-api-key": USER_KEY },
    });
    expect(answer.status).toBe(404);
    expect(JSON.stringify(notFound("upload", "x".repeat(1_000_000)).details).length).toBeLessThan(5000);
  });

  it("HTTP accepts a range unit in any case and a list of several entity tags", async () => {
    const headers = { "x-api-key": USER_KEY, "content-type": "application/json" };
    const write = (content: string, more: Record<string, string> = {}) =>
      fetch(`${base}/api/v1/content/write`, {
        method: "POST",
        headers: { ...headers, ...more },
        body: JSON.stringify({ uri: "ctx://resources/tags.txt", content }),
      });
    await write("0123456789");
    const part = await fetch(`${base}/api/v1/content/download?uri=ctx://resources/tags.txt`, {
      headers: { ...headers, range: "Bytes=1-2" },
    });
    expect([part.status, await part.text()]).toEqual([206, "12"]);
    const etag = part.headers.get("etag")!;
    expect((await write("again", { "if-match": `"other", ${etag}` })).status).toBe(200);
    expect((await write("again", { "if-match": `"other", ${etag}` })).status).toBe(412);
  });
});
