import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { S3Client } from "../../../src/storage/s3/s3-client.ts";
import { silentLog } from "../../support/silent-log.ts";

const PAGE = 2;
const OLD = "2020-01-01T00:00:00.000Z";

/** An object store that lists incomplete uploads in pages, whatever their prefix. */
async function startStore(keys: readonly string[], canContinue: boolean) {
  const uploads = new Map(keys.map((key, at) => [`id-${at}`, key]));
  let lists = 0;
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://store");
    if (request.method === "DELETE") {
      uploads.delete(searchParams.get("uploadId") ?? "");
      response.writeHead(204).end();
      return;
    }
    lists++;
    const marker = canContinue ? searchParams.get("key-marker") : null;
    const rest = [...uploads].filter(([, key]) => marker === null || key > marker);
    const page = rest.slice(0, PAGE);
    const items = page.map(
      ([id, key]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${OLD}</Initiated></Upload>`,
    );
    const [lastId, lastKey] = page.at(-1) ?? ["", ""];
    response.end(
      `<ListMultipartUploadsResult><NextKeyMarker>${lastKey}</NextKeyMarker>` +
        `<NextUploadIdMarker>${lastId}</NextUploadIdMarker>` +
        `<IsTruncated>${rest.length > PAGE}</IsTruncated>${items.join("")}</ListMultipartUploadsResult>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const keysOfAccess = { accessKey: "tester", secretKey: "secret" };
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({
    endpoint,
    region: "us-east-1",
    bucket: "contents",
    ...keysOfAccess,
    log: silentLog,
  });
  onTestFinished(() => {
    client.close();
    server.close();
  });
  return { client, left: () => [...uploads.values()], lists: () => lists };
}

it("abandoned uploads are removed although those of others fill the first pages of the list", async () => {
  const { client, left } = await startStore(["a/1", "a/2", "a/3", "b/1", "b/2"], true);
  expect(await client.abortAbandoned("b/", Date.now())).toBe(2);
  expect(left()).toEqual(["a/1", "a/2", "a/3"]);
});

it("a store that repeats a page of uploads is not asked forever", async () => {
  const { client, lists } = await startStore(["a/1", "a/2", "a/3"], false);
  expect(await client.abortAbandoned("b/", Date.now())).toBe(0);
  expect(lists()).toBe(2);
});
