import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../../src/base/sha256.ts";
import { type FetchedFile, fetchFile } from "../../../src/ingest/fetch/fetch-file.ts";
import { AddressGuard } from "../../../src/ingest/fetch/guard.ts";
import type { Address } from "../../../src/ingest/fetch/name-lookup.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

type Page = (request: IncomingMessage, response: ServerResponse) => void;

const MAX_PAGE = 1000;
const MAX_FILE = 5000;
const page =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): Page =>
  (_, response) => {
    response.writeHead(status, { "content-type": "text/html", ...headers });
    response.end(body);
  };
const redirectTo = (location: string): Page => page("", { location }, 302);

describe("fetching a URL", () => {
  let server: Server;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let lookups: string[];
  const pages = new Map<string, Page>();
  const base = (host = "127.0.0.1") => `http://${host}:${(server.address() as AddressInfo).port}`;

  const fetched = async (path: string, answers: readonly string[] = ["127.0.0.1"]): Promise<FetchedFile> => {
    const resolve = async (name: string): Promise<Address[]> => {
      lookups.push(name);
      return [{ address: answers[lookups.length - 1] ?? answers.at(-1)!, family: 4 }];
    };
    const guard = new AddressGuard(true, resolve);
    const limits = { maxBytes: MAX_FILE, maxPageBytes: MAX_PAGE };
    const url = new URL(path, base());
    const file = await fetchFile(
      url,
      { path: folder.path, remove: folder.remove },
      { guard, limits, signal: new AbortController().signal, onFetched: () => undefined },
    );
    if (file === undefined) throw new Error("it is taken for known");
    return file;
  };
  const codeOf = (path: string) =>
    fetched(path).then(
      () => "OK",
      (error: { code: string }) => error.code,
    );

  beforeEach(async () => {
    lookups = [];
    pages.clear();
    folder = await temporaryFolder();
    server = createServer((request, response) =>
      (pages.get(request.url!) ?? page("none", {}, 404))(request, response),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await folder.remove();
  });

  it("a fetch of a missing page names its address without the query, which may hold a signature", async () => {
    await expect(fetched("/gone?X-Amz-Signature=abc&b=1")).rejects.toThrow(
      new RegExp(`^URL not found: ${base()}/gone\\?…$`),
    );
  });

  it("a fetch follows redirects to a file and reports its final URL", async () => {
    pages.set("/a", redirectTo("/b"));
    pages.set(
      "/b",
      page("<p>hello", {
        "content-type": 'Text/HTML; charset="windows-1251"',
        "content-disposition": "attachment; filename*=UTF-8''gr%C3%BCn.html",
        etag: '"one"',
      }),
    );
    const { file, url, ...about } = await fetched("/a");
    expect([await readFile(file, "utf8"), url.pathname, about]).toEqual([
      "<p>hello",
      "/b",
      {
        contentType: "text/html",
        charset: "windows-1251",
        fileName: "grün.html",
        bytes: 8,
        hash: sha256("<p>hello"),
        etag: '"one"',
        lastModified: undefined,
      },
    ]);
  });

  it("a fetch resolves a name once per hop and connects to that address", async () => {
    pages.set("/a", page("x"));
    // nobody listens at the address of the second answer
    expect((await fetched(`${base("rebound.test")}/a`, ["127.0.0.1", "127.0.0.9"])).bytes).toBe(1);
    expect(lookups).toEqual(["rebound.test"]);
  });

  it("every hop of a fetch is checked against forbidden addresses", async () => {
    const places = [
      "http://169.254.169.254/latest/meta-data",
      "file:///etc/passwd",
      "gopher://127.0.0.1/x",
      "http://0.0.0.0/",
      "http://[fe80::1]/",
    ];
    for (const [i, place] of places.entries()) pages.set(`/${i}`, redirectTo(place));
    expect(await Promise.all(places.map((_, i) => codeOf(`/${i}`)))).toEqual(
      places.map(() => "PERMISSION_DENIED"),
    );
    pages.set("/user", redirectTo("http://user:pass@127.0.0.1/"));
    expect(await codeOf("/user")).toBe("INVALID_ARGUMENT");
  });

  it("circular and endless redirects are refused", async () => {
    pages.set("/loop", redirectTo("/loop"));
    for (let i = 0; i < 30; i++) pages.set(`/${i}`, redirectTo(`/${i + 1}`));
    expect([await codeOf("/loop"), await codeOf("/0")]).toEqual(["INVALID_ARGUMENT", "INVALID_ARGUMENT"]);
  });

  it("a fetch above its limit is refused, compressed or not, with or without a length", async () => {
    const large = "a".repeat(MAX_PAGE + 1);
    pages.set("/announced", page(large));
    pages.set("/chunked", (_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      for (const part of [large.slice(0, 600), large.slice(600)]) response.write(part);
      response.end();
    });
    pages.set("/bomb", page(gzipSync("a".repeat(1_000_000)), { "content-encoding": "gzip" }));
    pages.set("/file", page(large, { "content-type": "text/plain" }));
    pages.set("/large-file", page("a".repeat(MAX_FILE + 1), { "content-type": "text/plain" }));
    expect(
      await Promise.all(["/announced", "/chunked", "/bomb", "/file", "/large-file"].map(codeOf)),
    ).toEqual(["INVALID_ARGUMENT", "INVALID_ARGUMENT", "INVALID_ARGUMENT", "OK", "INVALID_ARGUMENT"]);
  });

  it("failures of a fetch get the codes of the specification", async () => {
    pages.set("/teapot", page("", {}, 418));
    pages.set("/broken", page("", {}, 500));
    pages.set("/packed", page("x", { "content-encoding": "zstd" }));
    pages.set("/no-gzip", page("x", { "content-encoding": "gzip" }));
    pages.set("/cut", (_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("x", () => response.destroy());
    });
    expect(
      await Promise.all(["/missing", "/teapot", "/broken", "/packed", "/no-gzip", "/cut"].map(codeOf)),
    ).toEqual([
      "NOT_FOUND",
      "INVALID_ARGUMENT",
      "INVALID_ARGUMENT",
      "INVALID_ARGUMENT",
      "INVALID_ARGUMENT",
      "UNAVAILABLE",
    ]);
    server.closeAllConnections();
    const gone = base();
    await new Promise((resolve) => server.close(resolve));
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    expect(await codeOf(`${gone}/x`)).toBe("UNAVAILABLE");
  });
});
