import { readdirSync } from "node:fs";
import { connect } from "node:http2";
import { join } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { UploadFileRequestSchema } from "../../gen/ctxdb/v1/resource_pb.ts";
import { ROOT_KEY, serve } from "../support/served.ts";

/** A message of gRPC with its five bytes in front. */
function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

it("a client that breaks off an upload is told of as one that left, not as a fault of the server", async () => {
  const served = await serve();
  const session = connect(`http://127.0.0.1:${served.port}`);
  const path = "/ctxdb.v1.ResourceService/UploadFile";
  session.on("error", () => undefined);
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    "x-api-key": ROOT_KEY,
  });
  stream.on("error", () => undefined);
  const header = create(UploadFileRequestSchema, { part: { case: "header", value: { name: "a.bin" } } });
  const chunk = create(UploadFileRequestSchema, { part: { case: "chunk", value: Buffer.alloc(1000) } });
  for (const part of [header, chunk]) await new Promise((sent) => stream.write(framed(toBinary(UploadFileRequestSchema, part)), sent));
  // once it is being written: what is cut before is none
  while (readdirSync(join(served.dataDir, "uploads")).length === 0) await new Promise(setImmediate);
  session.destroy();
  const calls = async () => {
    const text = await (await fetch(`http://127.0.0.1:${served.port}/metrics`, { headers: { "x-api-key": ROOT_KEY } })).text();
    return text.split("\n").filter((line) => line.includes("UploadFile") && line.includes("calls_total"));
  };
  let seen = await calls();
  for (let time = 0; time < 1000 && seen.length === 0; time++) seen = await calls();
  expect(seen.join("\n")).toContain('"UNAVAILABLE"');
  expect(seen.join("\n")).not.toContain('"INTERNAL"');
  await served.close();
});
