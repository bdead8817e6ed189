import { readdir, truncate } from "node:fs/promises";
import { type ClientHttp2Stream, connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { join } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DownloadContentRequestSchema } from "../../gen/ctxdb/v1/content_pb.ts";
import { framed } from "../support/framed.ts";
import { whenOpen } from "../support/open-files.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

const URI = "ctx://resources/large/large.bin";
const BYTES = 24 * 1024 * 1024;
const TIMES = 3;
const CHECKED_FOR_MINUTES = 2 ** 40;

let served: Served;

beforeAll(async () => {
  served = await serve();
  const form = new FormData();
  form.append("file", new Blob([Buffer.alloc(BYTES, 7)]), "large.bin");
  const { result } = await served.rest(ROOT_KEY, "POST resources/temp_upload", form);
  const { temp_path } = result as { temp_path: string };
  await served.rest(ROOT_KEY, "POST resources", {
    temp_path,
    to: "ctx://resources/large",
    build_index: false,
  });
});
afterAll(() => served.close());

/** Returns the content files that this process has open. */
const contentsOpen = (wanted: boolean) => whenOpen(join(served.dataDir, "buckets"), wanted);

const path = `/api/v1/content/download?uri=${encodeURIComponent(URI)}`;
const request = toBinary(DownloadContentRequestSchema, create(DownloadContentRequestSchema, { uri: URI }));

function overHttp2(
  headers: Record<string, string>,
  body: Buffer | undefined,
  cut: (stream: ClientHttp2Stream) => void,
  afterBytes = true,
) {
  return async () => {
    const session = connectHttp2(`http://127.0.0.1:${served.port}`);
    session.on("error", () => undefined);
    const stream = session.request({ "x-api-key": ROOT_KEY, ...headers });
    stream.on("error", () => undefined);
    if (body) stream.end(body);
    if (afterBytes) await new Promise((resolve) => stream.once("data", resolve));
    stream.pause();
    expect(await contentsOpen(true)).toBe(true);
    cut(stream);
    return () => session.destroy();
  };
}

function overHttp1(afterBytes = true) {
  return async () => {
    const socket = connect(served.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${ROOT_KEY}\r\n\r\n`);
    if (afterBytes) await new Promise((resolve) => socket.once("data", resolve));
    socket.pause();
    expect(await contentsOpen(true)).toBe(true);
    socket.destroy();
    return () => undefined;
  };
}

const get = { ":method": "GET", ":path": path };
const grpc = { ":method": "POST", ":path": "/ctxdb.v1.ContentService/DownloadContent", te: "trailers" };
const cancel = (stream: ClientHttp2Stream) => stream.close(8);
const leave = (stream: ClientHttp2Stream) => stream.session?.destroy();

it.each([
  ["HTTP/1.1", overHttp1()],
  ["HTTP/2, cancelled", overHttp2(get, undefined, cancel)],
  ["HTTP/2, cancelled before the first byte", overHttp2(get, undefined, cancel, false)],
  ["HTTP/2, the connection gone", overHttp2(get, undefined, leave)],
  ["gRPC, cancelled", overHttp2({ ...grpc, "content-type": "application/grpc" }, framed(request), cancel)],
  [
    "gRPC, cancelled before the first byte",
    overHttp2({ ...grpc, "content-type": "application/grpc" }, framed(request), cancel, false),
  ],
  [
    "gRPC, the connection gone",
    overHttp2({ ...grpc, "content-type": "application/grpc" }, framed(request), leave),
  ],
  [
    "Connect, cancelled",
    overHttp2({ ...grpc, "content-type": "application/connect+proto" }, framed(request), cancel),
  ],
])("a download aborted by its client leaves no file open: %s", async (_, begin) => {
  for (let time = 0; time < TIMES; time++) {
    const end = await begin();
    expect(await contentsOpen(false)).toBe(true);
    end();
  }
});

/** Extends the blob with zeros, which need no space on the disk. */
async function lengthen(bytes: number): Promise<void> {
  const blobs = join(served.dataDir, "buckets");
  const files = (await readdir(blobs, { recursive: true, withFileTypes: true })).filter((file) =>
    file.isFile(),
  );
  expect(files).toHaveLength(1);
  await truncate(join(files[0]!.parentPath, files[0]!.name), bytes);
}

it("a download of a damaged file returns an error instead of a cut connection", async () => {
  await lengthen(BYTES + 1);
  const response = await fetch(`http://127.0.0.1:${served.port}${path}`, {
    headers: { "x-api-key": ROOT_KEY },
  });
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ status: "error", error: { code: "INTERNAL" } });
  expect(response.headers.get("content-disposition")).toBeNull();
});

it.each([
  ["HTTP/1.1", overHttp1(false)],
  ["HTTP/2", overHttp2(get, undefined, cancel, false)],
  ["gRPC", overHttp2({ ...grpc, "content-type": "application/grpc" }, framed(request), cancel, false)],
  [
    "Connect",
    overHttp2({ ...grpc, "content-type": "application/connect+proto" }, framed(request), cancel, false),
  ],
])("the verification of a file stops when its reader leaves: %s", async (_, begin) => {
  await lengthen(CHECKED_FOR_MINUTES);
  const end = await begin();
  expect(await contentsOpen(false)).toBe(true);
  end();
});
