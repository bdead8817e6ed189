import { once } from "node:events";
import { createServer as createHttp, request as httpRequest } from "node:http";
import { connect, createServer as createHttp2, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HttpRequest, HttpResponse } from "../../../src/transport/connections/connections.ts";
import { ForwardedRequest } from "../../../src/transport/forward/forwarded-request.ts";
import { COMPLETE, MOVED } from "../../../src/transport/forward/hop.ts";

const SMALL = Buffer.from("a small body");
/** More than is sent along with the headers. */
const LARGE = Buffer.alloc(200_000, "large ");

type Handler = (request: HttpRequest, response: HttpResponse) => void;
type Answer = (stream: ServerHttp2Stream) => void;

const textOf = async (readable: AsyncIterable<Buffer>): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of readable) parts.push(part);
  return Buffer.concat(parts).toString();
};

const listening = async (server: Server): Promise<number> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

/** Refuses a call as a server does that has given the account away. */
const moved: Answer = (stream) => {
  stream.respond({ ":status": 421, [MOVED]: "1" }, { endStream: true });
};

/** Answers with the body, which it reads before it accepts the call or after that. */
const echo =
  (accepts: "first" | "after the body"): Answer =>
  async (stream) => {
    const accept = () => stream.additionalHeaders({ ":status": 103 });
    if (accepts === "first") accept();
    const body = await textOf(stream);
    if (accepts !== "first") accept();
    stream.on("wantTrailers", () => stream.sendTrailers({ [COMPLETE]: "1" }));
    stream.respond({ ":status": 200 }, { waitForTrailers: true });
    stream.end(body);
  };

const overHttp1 = (port: number, body: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: "127.0.0.1", method: "POST" }, (response) =>
      textOf(response).then(resolve, reject),
    );
    request.on("error", reject);
    request.end(body);
  });

const overHttp2 = async (port: number, body: Buffer): Promise<string> => {
  const session = connect(`http://127.0.0.1:${port}`);
  try {
    const stream = session.request({ ":method": "POST", ":path": "/" });
    stream.end(body);
    return await textOf(stream);
  } finally {
    session.close();
  }
};

describe.each([
  { wire: "HTTP/1.1", send: overHttp1, front: (handler: Handler) => createHttp(handler) },
  { wire: "HTTP/2", send: overHttp2, front: (handler: Handler) => createHttp2(handler) },
])("a body that is forwarded over $wire", ({ send, front }) => {
  /** What the owner does with one call after the other. */
  let answers: Answer[] = [];
  let handle: (request: HttpRequest, response: HttpResponse) => Promise<void>;
  const owner = createHttp2();
  const server = front((request, response) => void handle(request, response));
  let ports: { readonly owner: number; readonly front: number };

  beforeAll(async () => {
    owner.on("stream", (stream) => answers.shift()?.(stream));
    ports = { owner: await listening(owner), front: await listening(server) };
  });
  beforeEach(() => {
    answers = [];
  });
  afterAll(() => {
    server.close();
    owner.close();
  });

  const forward = async (request: HttpRequest, response: HttpResponse) => {
    const session = connect(`http://127.0.0.1:${ports.owner}`);
    try {
      const headers = { ":method": "POST", ":path": "/" };
      return await new ForwardedRequest(request, response).run(session, headers);
    } finally {
      session.close();
    }
  };

  it("a small body is sent along with the headers", async () => {
    answers = [echo("after the body")];
    handle = async (request, response) => {
      expect(await forward(request, response)).toBe("answered");
    };
    expect(await send(ports.front, SMALL)).toBe(SMALL.toString());
  });

  it("a large body is sent after the owner has accepted the call", async () => {
    answers = [echo("first")];
    handle = async (request, response) => {
      expect(await forward(request, response)).toBe("answered");
    };
    expect(await send(ports.front, LARGE)).toBe(LARGE.toString());
  });

  it.each([
    { size: "small", body: SMALL },
    { size: "large", body: LARGE },
  ])(
    "a $size body is complete for the next owner, or for the server itself, after the account has moved",
    async ({ body }) => {
      answers = [moved, moved, echo("first")];
      handle = async (request, response) => {
        expect(await forward(request, response)).toBe("untouched");
        expect(await forward(request, response)).toBe("untouched");
        expect(await forward(request, response)).toBe("answered");
      };
      expect(await send(ports.front, body)).toBe(body.toString());
      answers = [moved];
      handle = async (request, response) => {
        expect(await forward(request, response)).toBe("untouched");
        response.end(await textOf(request));
      };
      expect(await send(ports.front, body)).toBe(body.toString());
    },
  );
});
