import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DavClient } from "../support/dav-client.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { onCluster } from "../support/shared-database.ts";

describe("concurrent WebDAV requests", () => {
  let server: Served;
  const me = new DavClient(() => server.port, ROOT_KEY);

  beforeAll(async () => {
    server = await serve();
    await me.send("MKCOL resources/r");
  });
  afterAll(() => server.close());

  it("only one of several MOVEs with Overwrite F to one destination succeeds", async () => {
    const names = Array.from({ length: 8 }, (_, i) => `resources/r/from${i}.txt`);
    for (const name of names) await me.put(name, name);
    const headers = { destination: "/dav/resources/r/to.txt", overwrite: "F" };
    const statuses = await Promise.all(names.map((name) => me.status(`MOVE ${name}`, { headers })));
    expect(statuses.sort()).toEqual([201, ...Array(7).fill(412)]);
    expect(await me.list("resources/r")).toHaveLength(8);
  });

  it("only one of several COPYs with Overwrite F to one destination succeeds", async () => {
    await me.put("resources/r/c.txt", "x");
    const headers = { destination: "/dav/resources/r/copy.txt", overwrite: "F" };
    const statuses = await Promise.all(
      Array.from({ length: 8 }, () => me.status("COPY resources/r/c.txt", { headers })),
    );
    expect(statuses.sort()).toEqual([201, ...Array(7).fill(412)]);
  });

  it("only one of several PUTs whose If header names the same entity tag succeeds", async () => {
    const { headers } = await me.put("resources/r/e.txt", "0");
    const condition = { if: `([${headers.etag}])` };
    const statuses = await Promise.all(
      Array.from(
        { length: 8 },
        async (_, i) => (await me.put("resources/r/e.txt", `v${i}`, condition)).status,
      ),
    );
    expect(statuses.sort()).toEqual([204, ...Array(7).fill(412)]);
  });

  it.skipIf(onCluster)("a PUT that is refused after its body arrived leaves no upload", async () => {
    const path = "resources/r/slow.bin";
    const piece = Buffer.alloc(64 * 1024);
    const body = async function* () {
      yield piece;
      await me.put(path, "meanwhile");
      yield piece;
    };
    const headers = { "transfer-encoding": "chunked", "if-none-match": "*" };
    expect(await me.status(`PUT ${path}`, { body: body(), headers })).toBe(412);
    expect(await readdir(join(server.dataDir, "uploads"))).toEqual([]);
  });
});
