import { readdirSync } from "node:fs";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { join } from "node:path";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { UploadFileRequestSchema } from "../../gen/ctxdb/v1/resource_pb.ts";
import { workspaceId } from "../../src/domain/ids.ts";
import { Spool } from "../../src/storage/disk/spool.ts";
import { RamKv } from "../../src/storage/ram/ram-kv.ts";
import { Uploads } from "../../src/workspace/requests/uploads.ts";
import { framed } from "../support/framed.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const GRPC = "application/grpc";
const CONNECT = "application/connect+proto";
/** Becomes RST_STREAM with CANCEL. */
const cancelled = Object.assign(new Error(), { name: "AbortError" });

let served: Served;
let session: ClientHttp2Session;

beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

const message = (part: MessageInitShape<typeof UploadFileRequestSchema>["part"]) =>
  framed(
    toBinary(UploadFileRequestSchema, create(UploadFileRequestSchema, part === undefined ? {} : { part })),
  );
const BEGIN = Buffer.concat([
  message({ case: "header", value: { name: "a.bin" } }),
  message({ case: "chunk", value: Buffer.alloc(1000) }),
]);

function upload(contentType: string, headers: Record<string, string> = {}): ClientHttp2Stream {
  session = connect(`http://127.0.0.1:${served.port}`);
  session.on("error", () => undefined);
  const stream = session.request({
    ":method": "POST",
    ":path": "/ctxdb.v1.ResourceService/UploadFile",
    "content-type": contentType,
    te: "trailers",
    "x-api-key": ROOT_KEY,
    ...headers,
  });
  return stream.on("error", () => undefined);
}

const kept = () => readdirSync(join(served.dataDir, "uploads"));

/** Returns the number of ended uploads, by their labels. */
async function ended(): Promise<Map<string, number>> {
  const text = await (
    await fetch(`http://127.0.0.1:${served.port}/metrics`, { headers: { "x-api-key": ROOT_KEY } })
  ).text();
  const lines = text
    .split("\n")
    .filter((line) => line.includes("UploadFile") && line.includes("calls_total"));
  return new Map(
    lines
      .map((line) => line.split(" ") as [string, string])
      .map(([labels, count]) => [labels, Number(count)]),
  );
}

async function whenEnded(before: Map<string, number>): Promise<string | undefined> {
  for (let look = 0; look < 1000; look++)
    for (const [code, count] of await ended()) if (count > (before.get(code) ?? 0)) return code;
  return undefined;
}

it.each([
  ["the connection goes, gRPC", GRPC, (_: ClientHttp2Stream) => session.destroy()],
  ["the connection goes, Connect", CONNECT, (_: ClientHttp2Stream) => session.destroy()],
  ["it is reset, gRPC", GRPC, (stream: ClientHttp2Stream) => stream.destroy()],
  ["it is reset, Connect", CONNECT, (stream: ClientHttp2Stream) => stream.destroy()],
  ["it is cancelled, gRPC", GRPC, (stream: ClientHttp2Stream) => stream.destroy(cancelled)],
])(
  "an upload aborted by its client leaves nothing and does not count as a server error: %s",
  async (_, contentType, cut) => {
    const before = await ended();
    const stream = upload(contentType);
    await new Promise((sent) => stream.write(BEGIN, sent));
    // cut during the upload: a connection cut before it starts does not count as an upload
    while (kept().length === 0) await new Promise(setImmediate);
    cut(stream);
    expect(await whenEnded(before)).toContain('"UNAVAILABLE"');
    expect(kept()).toEqual([]);
    session.destroy();
  },
);

/** Returns the gRPC trailers, or the last message of a Connect stream. */
async function told(stream: ClientHttp2Stream): Promise<string> {
  let text = "";
  stream.on("response", (headers) => {
    text += JSON.stringify(headers);
  });
  stream.on("trailers", (headers) => {
    text += JSON.stringify(headers);
  });
  for await (const chunk of stream) text += (chunk as Buffer).toString();
  return text;
}

it.each([
  [CONNECT, "Connect-Timeout-Ms", "1.5"],
  [CONNECT, "Connect-Timeout-Ms", "soon"],
  [GRPC, "grpc-timeout", "1.5S"],
])(
  "an upload with a malformed timeout is refused with the name of the timeout: %s %s %s",
  async (contentType, header, value) => {
    const stream = upload(contentType, { [header]: value });
    stream.end(BEGIN);
    const text = await told(stream);
    expect(text).toMatch(contentType === GRPC ? /"grpc-status":"3"/ : /"invalid_argument"/);
    expect(text).toContain(header);
    expect(kept()).toEqual([]);
    session.destroy();
  },
);

it.each([
  [GRPC, "grpc-timeout", "60m"],
  [CONNECT, "Connect-Timeout-Ms", "60"],
])(
  "an upload past its deadline is refused and discarded, and its late bytes delay no other call: %s",
  async (contentType, header, value) => {
    const stream = upload(contentType, { [header]: value });
    const closed = new Promise((resolve) => stream.once("close", resolve));
    stream.write(BEGIN);
    expect(await told(stream)).toMatch(contentType === GRPC ? /"grpc-status":"4"/ : /"deadline_exceeded"/);
    for (let look = 0; look < 100_000 && kept().length > 0; look++) await new Promise(setImmediate);
    expect(kept()).toEqual([]);
    // larger than the flow control window
    for (let sent = 0; sent < 8; sent++)
      stream.write(message({ case: "chunk", value: Buffer.alloc(1_000_000) }));
    stream.end();
    await closed;
    session.destroy();
  },
);

it("a truncated upload message is refused as malformed and discarded", async () => {
  const stream = upload(GRPC);
  stream.end(BEGIN.subarray(0, BEGIN.length - 10));
  expect(await told(stream)).toContain('"grpc-status":"3"');
  expect(kept()).toEqual([]);
  session.destroy();
});

it("a complete upload is discarded if its client has left before the response", async () => {
  const disk = await temporaryFolder();
  const uploads = new Uploads({
    kv: new RamKv(),
    bytes: await Spool.open(disk.path),
    clock: () => 1,
    lifeSeconds: 60,
  });
  const left = new AbortController();
  const bytes = (async function* () {
    yield Buffer.alloc(1000);
    left.abort(new Error("left"));
  })();
  const owner = { incarnation: workspaceId(1), user: "ann", name: "a.bin" };
  await expect(uploads.save("one", owner, bytes, 1e6, { signal: left.signal })).rejects.toThrow("left");
  expect(readdirSync(disk.path)).toEqual([]);
  expect(uploads.held(workspaceId(1))).toBe(0);
  expect(() => uploads.find("one", workspaceId(1), { user: "ann" })).toThrow(/not found|upload/);
  await disk.remove();
});
