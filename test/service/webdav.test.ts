import { connect } from "node:http2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CTX_NAMESPACE } from "../../src/transport/dav/xml-text.ts";
import { DavClient, hrefsIn } from "../support/dav-client.ts";
import { pdf } from "../support/pdf.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

const MIB = 1024 * 1024;
const BINARY = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7) % 256));

describe("WebDAV", () => {
  let server: Served;
  let ann: DavClient;
  let bob: DavClient;
  let eve: DavClient;
  const root = () => new DavClient(() => server.port, ROOT_KEY, "acme/ann");

  const keyOf = async (account: string, user: string): Promise<string> => {
    const made = await server.rest(ROOT_KEY, `POST admin/accounts/${account}/users`, {
      user_id: user,
      role: "user",
    });
    return (made.result as { user_key: string }).user_key;
  };
  const rest = (call: string, body?: object) =>
    server.rest(ROOT_KEY, call, body, { "x-ctx-account": "acme", "x-ctx-user": "ann" });
  const as = async (account: string, user: string) => {
    const key = await keyOf(account, user);
    return new DavClient(() => server.port, key);
  };

  beforeAll(async () => {
    server = await serve();
    for (const account of ["acme", "other"])
      await server.rest(ROOT_KEY, "POST admin/accounts", { account_id: account, admin_user_id: "boss" });
    ann = await as("acme", "ann");
    bob = await as("acme", "bob");
    eve = await as("other", "ann");
  });
  afterAll(() => server.close());

  it("WebDAV requests a password for requests without one, but only on its own paths", async () => {
    const nobody = new DavClient(() => server.port);
    const { status, headers, text } = await nobody.send("PROPFIND /dav/");
    expect([status, headers["www-authenticate"]]).toEqual([401, 'Basic realm="ctxdb", charset="UTF-8"']);
    expect(text).toContain("<ctx:code>UNAUTHENTICATED</ctx:code>");
    const elsewhere = await nobody.send("GET /api/v1/fs/ls?uri=ctx://");
    expect([elsewhere.status, elsewhere.headers["www-authenticate"]]).toEqual([401, undefined]);
    const wrong = new DavClient(() => server.port, "wrong");
    expect(await wrong.status("GET resources")).toBe(401);
    const basic = `Basic ${Buffer.from(`acme/ann:${ROOT_KEY}`).toString("base64")}`;
    expect(await nobody.status("GET /api/v1/fs/ls?uri=ctx://", { headers: { authorization: basic } })).toBe(
      401,
    );
  });

  it("WebDAV accepts a key as password, Bearer or X-API-Key, and ROOT may name a user", async () => {
    const nobody = new DavClient(() => server.port);
    const ways: Record<string, string>[] = [
      { authorization: `Bearer ${ROOT_KEY}` },
      { "x-api-key": ROOT_KEY },
    ];
    for (const headers of ways) expect(await nobody.status("GET resources", { headers })).toBe(200);
    await ann.send("MKCOL user/ann/named");
    expect(await root().list("user")).toEqual(["ann"]);
    expect(await root().list("user/ann")).toContain("named");
    expect(await new DavClient(() => server.port, ROOT_KEY, "nobody/ann").status("GET resources")).toBe(404);
  });

  it("WebDAV answers OPTIONS without a key", async () => {
    const { status, headers } = await new DavClient(() => server.port).send("OPTIONS /dav/resources/x");
    expect([status, headers.dav, headers["ms-author-via"]]).toEqual([200, "1, 2", "DAV"]);
    expect(headers.allow).toContain("PROPFIND");
    const wrong = await ann.send("POST resources/x");
    expect([wrong.status, wrong.headers.allow?.includes("UNLOCK")]).toEqual([405, true]);
  });

  it("WebDAV refuses pages of other origins, which cannot read a response", async () => {
    const sources: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:3000" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of sources) {
      const reply = await ann.send("GET resources", { headers });
      expect(reply.status).toBe(403);
      expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
      const preflight = await ann.send("OPTIONS resources", {
        headers: { ...headers, "access-control-request-method": "PUT" },
      });
      expect(preflight.headers["access-control-allow-origin"]).toBeUndefined();
    }
    const own = { origin: `http://127.0.0.1:${server.port}`, "sec-fetch-site": "same-origin" };
    expect(await ann.status("GET resources", { headers: own })).toBe(200);
  });

  it("WebDAV returns the bytes that were uploaded, of any type, with their hash", async () => {
    await ann.send("MKCOL resources/types");
    const files: Record<string, Uint8Array> = {
      "text.md": Buffer.from("# A title\n\nWith words.\n"),
      "mark.txt": Buffer.from("\ufeffwith a byte order mark\r\n"),
      "latin.txt": Buffer.from([0x63, 0x61, 0x66, 0xe9]),
      "empty.bin": new Uint8Array(),
      "binary.dat": BINARY,
      "paper.pdf": pdf([[{ x: 72, y: 700, text: "Photosynthesis turns light into sugar." }]]),
      "a name & a %25 ü 中文 #1.txt": Buffer.from("named"),
      "._paper.pdf": BINARY,
      ".gitignore": Buffer.from("dist\n"),
    };
    for (const [name, bytes] of Object.entries(files)) {
      const path = `resources/types/${encodeURIComponent(name)}`;
      const made = await ann.put(path, bytes);
      expect([name, made.status]).toEqual([name, 201]);
      const got = await ann.send(`GET ${path}`);
      expect([name, got.status, got.bytes.equals(bytes), got.headers.etag]).toEqual([
        name,
        200,
        true,
        made.headers.etag,
      ]);
      expect(got.headers["content-disposition"]).toMatch(/^attachment/);
      expect(got.headers["content-security-policy"]).toMatch(/^sandbox/);
      expect(got.headers["x-content-type-options"]).toBe("nosniff");
      expect((await ann.put(path, bytes)).status).toBe(204);
    }
    expect((await ann.list("resources/types")).sort()).toEqual(Object.keys(files).sort());
    const found = await rest("POST search/find", {
      query: "photosynthesis sugar",
      target_uri: "ctx://resources/types",
    });
    expect(JSON.stringify(found.result)).toContain("ctx://resources/types/paper");
  });

  it("WebDAV hides derived files, and a new file may take the name of one", async () => {
    await ann.send("MKCOL resources/derived");
    const page = "<html><body><h1>Saturn</h1><p>It has rings.</p></body></html>";
    await ann.put("resources/derived/page.html", page);
    const all = await rest("GET fs/ls?uri=ctx://resources/derived&show_all_hidden=true&simple=true");
    expect(all.result).toContain("ctx://resources/derived/page.md");
    expect(await ann.list("resources/derived")).toEqual(["page.html"]);
    for (const call of ["GET", "PROPFIND", "DELETE", "PROPPATCH"])
      expect(
        await ann.status(`${call} resources/derived/page.md`, {
          ...(call === "PROPPATCH" && {
            body: '<D:propertyupdate xmlns:D="DAV:"><D:remove><D:prop><x/></D:prop></D:remove></D:propertyupdate>',
          }),
          headers: { depth: call === "DELETE" ? "infinity" : "0" },
        }),
      ).toBe(404);
    expect(await ann.status("GET resources/derived/.abstract.md")).toBe(404);
    expect((await ann.put("resources/derived/.abstract.md", "x")).status).toBe(403);
    expect((await ann.put("resources/derived/page.md", "mine")).status).toBe(201);
    expect((await ann.send("GET resources/derived/page.md")).text).toBe("mine");
    expect(await ann.list("resources/derived")).toEqual(["page.html", "page.md"]);
    const long = `<html><body><h1>Long</h1>${"<h2>Part</h2><p>It says a word. </p>".repeat(300)}</body></html>`;
    await ann.put("resources/derived/long.html", long);
    expect(await ann.status("PROPFIND resources/derived/long", { headers: { depth: "1" } })).toBe(404);
    expect((await ann.put("resources/derived/long/inside.md", "x")).status).toBe(409);
    expect(await ann.status("MKCOL resources/derived/long")).toBe(201);
    expect(await ann.list("resources/derived/long")).toEqual([]);
    await ann.put("resources/derived/second.html", page);
    const to = { headers: { destination: "/dav/resources/derived/second.md" } };
    expect(await ann.status("MOVE resources/derived/page.md", to)).toBe(201);
    const { status, token } = await ann.lock("resources/derived/page.md");
    expect(status).toBe(201);
    await ann.send("UNLOCK resources/derived/page.md", { headers: { "lock-token": token } });
  });

  it("WebDAV shows layers as properties on request", async () => {
    await rest("POST content/write", {
      uri: "ctx://resources/layers/saturn.md",
      content: "# Saturn\n\nSaturn has rings of ice & dust.\n",
      mode: "create",
      wait: true,
    });
    expect(await ann.property("resources/layers/saturn.md", "abstract", CTX_NAMESPACE)).toContain(
      "ice &amp; dust",
    );
    expect(await ann.property("resources/layers/saturn.md", "overview", CTX_NAMESPACE)).toContain("Saturn");
    const { text } = await ann.send("PROPFIND resources/layers/saturn.md", { headers: { depth: "0" } });
    expect(text).not.toContain("abstract");
    expect(text).toContain("<D:getcontenttype>text/markdown</D:getcontenttype>");
    const names = await ann.send("PROPFIND resources/layers/saturn.md", {
      headers: { depth: "0" },
      body: '<propfind xmlns="DAV:"><propname/></propfind>',
    });
    expect(names.text).toContain("<ctx:abstract/>");
    expect(Number(await ann.property("resources", "quota-used-bytes"))).toBeGreaterThan(0);
    expect(Number(await ann.property("resources", "quota-available-bytes"))).toBeGreaterThan(0);
  });

  it("WebDAV serves a byte range, and 304 or 412 by entity tag", async () => {
    await ann.send("MKCOL resources/ranges");
    const etag = String((await ann.put("resources/ranges/a.bin", BINARY)).headers.etag);
    const part = await ann.send("GET resources/ranges/a.bin", { headers: { range: "bytes=10-19" } });
    expect([part.status, part.bytes.equals(BINARY.subarray(10, 20))]).toEqual([206, true]);
    const beyond = await ann.send("GET resources/ranges/a.bin", { headers: { range: "bytes=9999-" } });
    expect([beyond.status, beyond.headers["content-range"]]).toEqual([416, "bytes */4096"]);
    const head = await ann.send("HEAD resources/ranges/a.bin");
    expect([head.status, head.headers["content-length"], head.bytes.length]).toEqual([200, "4096", 0]);
    const get = (headers: Record<string, string>) => ann.status("GET resources/ranges/a.bin", { headers });
    expect(await get({ "if-none-match": etag })).toBe(304);
    expect(await get({ "if-none-match": '"other"' })).toBe(200);
    expect(await get({ "if-modified-since": String(head.headers["last-modified"]) })).toBe(304);
    expect(await get({ "if-match": '"other"' })).toBe(412);
    const put = async (headers: Record<string, string>, path = "a.bin") =>
      (await ann.put(`resources/ranges/${path}`, "new", headers)).status;
    expect(await put({ "if-none-match": "*" })).toBe(412);
    expect(await put({ "if-match": '"other"' })).toBe(412);
    expect(await put({ "if-match": "*" }, "none.bin")).toBe(412);
    expect(await put({ "if-none-match": etag })).toBe(412);
    expect(await put({ "content-range": "bytes 0-2/4096" })).toBe(400);
    expect(await put({ "content-encoding": "gzip" })).toBe(415);
    expect(await put({ "if-match": etag })).toBe(204);
    expect(await put({ "if-none-match": "*" }, "none.bin")).toBe(201);
  });

  it("WebDAV stores a body of unknown length, and nothing of an aborted one", async () => {
    await ann.send("MKCOL resources/large");
    const piece = Buffer.alloc(256 * 1024);
    const pieces = async function* (count: number) {
      for (let i = 0; i < count; i++) yield piece;
    };
    const headers = { "x-expected-entity-length": String(8 * piece.length), "transfer-encoding": "chunked" };
    expect(await ann.status("PUT resources/large/film.bin", { body: pieces(8), headers })).toBe(201);
    expect((await ann.send("GET resources/large/film.bin")).bytes.length).toBe(2 * MIB);
    const broken = async function* () {
      yield piece;
      throw new Error("the client leaves");
    };
    const leaving = fetch(`http://127.0.0.1:${server.port}/dav/resources/large/broken.bin`, {
      method: "PUT",
      body: ReadableStream.from(broken()),
      headers: { "x-api-key": ROOT_KEY, "x-ctx-account": "acme", "x-ctx-user": "ann" },
      duplex: "half",
    } as RequestInit);
    await expect(leaving).rejects.toThrow();
    expect(await ann.status("PUT resources/none/film.bin", { body: pieces(8), headers })).toBe(409);
    expect(await ann.list("resources/large")).toEqual(["film.bin"]);
  });

  it("what replaces a denied file or folder by COPY or MOVE is denied, too", async () => {
    const to = (path: string, more: Record<string, string> = {}) => ({
      headers: { destination: `/dav/resources/shut/${path}`, ...more },
    });
    const bobReads = (path: string) => bob.status(`GET resources/shut/${path}`);
    await ann.send("MKCOL resources/shut");
    await ann.send("MKCOL resources/shut/next");
    await ann.put("resources/shut/next/b.txt", "the next owl");
    for (const name of ["file", "folder", "emptied", "turned"]) {
      await ann.send(`MKCOL resources/shut/${name}`);
      await ann.put(`resources/shut/${name}/b.txt`, "the owl");
      const uri = `ctx://resources/shut/${name}${name === "file" || name === "folder" ? "/b.txt" : ""}`;
      const grant = { uri, grantee_type: "user", grantee_id: "bob", level: "read", effect: "deny" };
      await rest("POST access/grants", grant);
    }
    expect(await ann.status("COPY resources/shut/next/b.txt", to("file/b.txt"))).toBe(204);
    expect((await ann.send("GET resources/shut/file/b.txt")).text).toBe("the next owl");
    expect(await bobReads("file/b.txt")).toBe(404);
    expect(await ann.status("COPY resources/shut/next", to("folder"))).toBe(204);
    expect((await ann.send("GET resources/shut/folder/b.txt")).text).toBe("the next owl");
    expect(await bobReads("folder/b.txt")).toBe(404);
    expect(await ann.status("COPY resources/shut/next", to("emptied", { depth: "0" }))).toBe(204);
    await ann.put("resources/shut/emptied/c.txt", "a later owl");
    expect(await bobReads("emptied/c.txt")).toBe(404);
    expect(await ann.status("MOVE resources/shut/next/b.txt", to("turned"))).toBe(204);
    expect((await ann.send("GET resources/shut/turned")).text).toBe("the next owl");
    expect(await bobReads("turned")).toBe(404);
  });

  it("a COPY that is refused leaves what it would have replaced", async () => {
    await ann.send("MKCOL resources/partly");
    await ann.put("resources/partly/a.txt", "a");
    await ann.put("resources/partly/b.txt", "b");
    await ann.put("resources/whole.txt", "as it was");
    const uri = "ctx://resources/partly/b.txt";
    const grant = { uri, grantee_type: "user", grantee_id: "bob", level: "read", effect: "deny" };
    await rest("POST access/grants", grant);
    const over = { headers: { destination: "/dav/resources/whole.txt" } };
    expect(await bob.status("COPY resources/partly", over)).toBe(403);
    expect((await ann.send("GET resources/whole.txt")).text).toBe("as it was");
  });

  it("WebDAV creates, copies, moves and removes folders by RFC 4918", async () => {
    const to = (path: string, more: Record<string, string> = {}) => ({
      headers: { destination: `http://127.0.0.1:${server.port}/dav/${path}`, ...more },
    });
    expect(await ann.status("MKCOL resources/w/deep")).toBe(409);
    expect(await ann.status("MKCOL resources/w")).toBe(201);
    expect(await ann.status("MKCOL resources/w")).toBe(405);
    expect(await ann.status("MKCOL resources/w/x", { body: "<x/>" })).toBe(415);
    expect((await ann.put("resources/w", "x")).status).toBe(405);
    await ann.put("resources/w/a.txt", "a");
    expect(await ann.status("MKCOL resources/w/a.txt/b")).toBe(409);
    expect(await ann.status("COPY resources/w resources/v", to("resources/v"))).toBe(201);
    expect((await ann.send("GET resources/v/a.txt")).text).toBe("a");
    expect(await ann.status("COPY resources/w", to("resources/v", { overwrite: "F" }))).toBe(412);
    expect(await ann.status("COPY resources/w", to("resources/v", { overwrite: "T", depth: "0" }))).toBe(204);
    expect(await ann.list("resources/v")).toEqual([]);
    expect(await ann.status("MOVE resources/w/a.txt", to("resources/v"))).toBe(204);
    expect((await ann.send("GET resources/v")).text).toBe("a");
    expect(await ann.status("MOVE resources/v", to("resources/w/b.txt"))).toBe(201);
    expect(await ann.status("MOVE resources/w", to("resources/w"))).toBe(403);
    expect(await ann.status("MOVE resources/w", to("resources/w/inside"))).toBe(409);
    expect(await ann.status("MOVE resources/w", to("resources/gone/x"))).toBe(409);
    expect(await ann.status("MOVE resources/w", to("resources/w2", { depth: "0" }))).toBe(400);
    expect(await ann.status("MOVE resources/w")).toBe(400);
    expect(
      await ann.status("COPY resources/w", { headers: { destination: "http://elsewhere/dav/resources/z" } }),
    ).toBe(502);
    expect(await ann.status("DELETE resources/w", { headers: { depth: "0" } })).toBe(400);
    expect(await ann.status("DELETE resources/w")).toBe(204);
    expect(await ann.status("DELETE resources/w")).toBe(404);
    for (const path of ["", "resources", "user/ann", "new", "session/ann/x"])
      expect([path, await ann.status(`DELETE ${path}`)]).toEqual([
        path,
        expect.toSatisfy((code) => code === 403 || code === 404),
      ]);
    expect(await ann.status("MKCOL session/ann/new")).toBe(403);
    expect(await ann.status("MKCOL new")).toBe(403);
  });

  it.each([
    ["/dav/resources/../user/ann", 400],
    ["/dav/resources/%2e%2e/user/ann", 400],
    ["/dav/resources/a%2fb", 400],
    ["/dav/resources//a", 400],
    ["/dav/resources/%00", 400],
    ["/dav/resources/%ff", 400],
    ["/dav/%2e%2e/api/v1/fs/ls", 400],
    [`/dav/resources/${"a/".repeat(4096)}`, 414],
    ["/davx", 404],
  ])("WebDAV refuses the path %s for every method", async (path, status) => {
    for (const method of ["PROPFIND", "GET", "PUT", "MKCOL", "DELETE", "LOCK", "COPY", "MOVE"])
      expect([method, (await ann.send(`${method} ${path}`)).status]).toEqual([
        method,
        path === "/davx" ? expect.toSatisfy((code: number) => code === 404 || code === 405) : status,
      ]);
  });

  it("WebDAV refuses XML that is broken, too large or has entities", async () => {
    const bodies: [string, number][] = [
      ["<propfind", 400],
      ['<propfind xmlns="urn:other"/>', 400],
      ['<propfind xmlns="DAV:"/>', 400],
      ['<!DOCTYPE x [<!ENTITY a "b">]><propfind xmlns="DAV:"><allprop/></propfind>', 400],
      [`<propfind xmlns="DAV:"><allprop/>${" ".repeat(64 * 1024)}</propfind>`, 413],
    ];
    for (const [body, status] of bodies) {
      expect(await ann.status("PROPFIND resources", { headers: { depth: "0" }, body })).toBe(status);
      expect(await ann.status("PROPPATCH resources/x", { body })).toBe(status);
      expect(await ann.status("LOCK resources/x", { body })).toBe(status);
    }
    const infinite = await ann.send("PROPFIND resources");
    expect([infinite.status, infinite.text.includes("<D:propfind-finite-depth/>")]).toEqual([403, true]);
    expect(await ann.status("PROPFIND resources", { headers: { depth: "2" } })).toBe(400);
  });

  it("WebDAV shows no caller another user's spaces or another account's files", async () => {
    await ann.put("user/ann/secret.md", "secret");
    await ann.send("MKCOL resources/ours");
    await ann.put("resources/ours/a.md", "shared");
    expect((await bob.send("GET resources/ours/a.md")).text).toBe("shared");
    expect(await bob.list("user")).toEqual(["bob"]);
    expect(await eve.list("resources")).toEqual([]);
    const to = { headers: { destination: "/dav/resources/taken" } };
    for (const call of ["GET", "PROPFIND", "DELETE", "COPY", "MOVE", "LOCK"]) {
      expect([
        call,
        await bob.status(`${call} user/ann/secret.md`, { headers: { depth: "0", ...to.headers } }),
      ]).toEqual([call, call === "LOCK" ? 400 : 404]);
    }
    expect((await bob.lock("user/ann/secret.md")).status).toBe(409);
    expect((await bob.put("user/ann/new.md", "x")).status).toBe(409);
    expect(
      await bob.status("COPY resources/ours/a.md", { headers: { destination: "/dav/user/ann/a.md" } }),
    ).toBe(409);
    expect(await eve.status("GET resources/ours/a.md")).toBe(404);
    expect((await ann.send("GET user/ann/secret.md")).text).toBe("secret");
  });

  it("WebDAV lists a folder in pages, each member once", async () => {
    await ann.send("MKCOL resources/many");
    const names = Array.from({ length: 1010 }, (_, i) => `._${String(i).padStart(4, "0")}`);
    for (let at = 0; at < names.length; at += 50)
      await Promise.all(names.slice(at, at + 50).map((name) => ann.put(`resources/many/${name}`, "x")));
    const reply = await ann.send("PROPFIND resources/many", { headers: { depth: "1" } });
    expect(hrefsIn(reply.text)).toEqual([
      "/dav/resources/many/",
      ...names.map((name) => `/dav/resources/many/${name}`),
    ]);
    expect(reply.text.endsWith("</D:multistatus>\n")).toBe(true);
  });

  it("WebDAV is also served over HTTP/2", async () => {
    const session = connect(`http://127.0.0.1:${server.port}`);
    const stream = session.request({
      ":method": "PROPFIND",
      ":path": "/dav/",
      depth: "1",
      "x-api-key": ROOT_KEY,
    });
    const status = new Promise<number>((resolve) =>
      stream.on("response", (headers) => resolve(Number(headers[":status"]))),
    );
    stream.end();
    let text = "";
    for await (const piece of stream) text += String(piece);
    expect([await status, hrefsIn(text).length]).toEqual([207, 5]);
    session.close();
  });
});

describe("WebDAV locks", () => {
  let server: Served;
  let ann: DavClient;
  let bob: DavClient;
  const named = (token: string) => ({ if: `(${token})` });

  beforeAll(async () => {
    server = await serve();
    await server.rest(ROOT_KEY, "POST admin/accounts", { account_id: "acme", admin_user_id: "boss" });
    const user = async (name: string) => {
      const made = await server.rest(ROOT_KEY, "POST admin/accounts/acme/users", {
        user_id: name,
        role: "user",
      });
      const { user_key: key } = made.result as { user_key: string };
      return new DavClient(() => server.port, key);
    };
    ann = await user("ann");
    bob = await user("bob");
    await ann.send("MKCOL resources/locks");
  });
  afterAll(() => server.close());

  it("a WebDAV lock lets its holder fill an empty file, as Finder does", async () => {
    const path = "resources/locks/finder.txt";
    expect((await ann.put(path, "")).status).toBe(201);
    const { status, token } = await ann.lock(path, { timeout: "Second-600", depth: "0" });
    expect([status, token]).toEqual([200, expect.stringMatching(/^<ctxlock:[\w-]{22}>$/)]);
    expect((await ann.put(path, "content")).status).toBe(423);
    expect((await ann.put(path, "content", named(token))).status).toBe(204);
    expect(await ann.property(path, "lockdiscovery")).toContain(token.slice(1, -1));
    expect(await ann.status(`UNLOCK ${path}`, { headers: { "lock-token": token } })).toBe(204);
    expect((await ann.put(path, "more")).status).toBe(204);
    expect(await ann.status(`UNLOCK ${path}`, { headers: { "lock-token": token } })).toBe(409);
  });

  it("a WebDAV lock of a missing path creates an empty file in an existing folder", async () => {
    const { status, token } = await ann.lock("resources/locks/new.txt");
    expect(status).toBe(201);
    const made = await ann.send("GET resources/locks/new.txt");
    expect([made.status, made.text]).toEqual([200, ""]);
    expect((await ann.put("resources/locks/new.txt", "x", named(token))).status).toBe(204);
    expect((await ann.lock("resources/none/new.txt")).status).toBe(409);
    expect((await ann.lock("resources")).status).toBe(403);
  });

  it("a WebDAV lock excludes other locks unless both are shared", async () => {
    const path = "resources/locks/shared.txt";
    await ann.put(path, "x");
    const first = await ann.lock(path, { shared: true });
    const second = await bob.lock(path, { shared: true });
    expect([first.status, second.status]).toEqual([200, 200]);
    const exclusive = await bob.lock(path);
    expect([exclusive.status, exclusive.text.includes("<D:no-conflicting-lock>")]).toEqual([423, true]);
    expect((await bob.put(path, "y", named(first.token))).status).toBe(423);
    expect((await bob.put(path, "y", named(second.token))).status).toBe(204);
    expect(await bob.status(`UNLOCK ${path}`, { headers: { "lock-token": first.token } })).toBe(403);
  });

  it("a WebDAV lock of a folder covers everything below it and its list of members", async () => {
    await ann.send("MKCOL resources/locks/deep");
    await ann.put("resources/locks/deep/a.txt", "a");
    const { token } = await ann.lock("resources/locks/deep");
    const to = (path: string, more = {}) => ({ headers: { destination: `/dav/${path}`, ...more } });
    expect((await bob.put("resources/locks/deep/a.txt", "b")).status).toBe(423);
    expect((await bob.put("resources/locks/deep/b.txt", "b")).status).toBe(423);
    expect(await bob.status("MKCOL resources/locks/deep/c")).toBe(423);
    expect(await bob.status("DELETE resources/locks/deep")).toBe(423);
    expect(await bob.status("DELETE resources/locks")).toBe(423);
    expect(await bob.status("MOVE resources/locks/deep/a.txt", to("resources/a.txt"))).toBe(423);
    expect(await bob.status("COPY resources/locks/deep/a.txt", to("resources/locks/deep/d.txt"))).toBe(423);
    expect(await bob.status("COPY resources/locks/deep/a.txt", to("resources/locks/copy.txt"))).toBe(201);
    expect((await bob.lock("resources/locks")).status).toBe(423);
    expect((await bob.lock("resources/locks/deep/a.txt")).status).toBe(423);
    const other = `</dav/resources/locks/deep/> (${token})`;
    expect((await ann.put("resources/locks/deep/b.txt", "b", { if: other })).status).toBe(201);
    expect(
      await ann.status("MOVE resources/locks/deep", to("resources/locks/away", { if: `(${token})` })),
    ).toBe(201);
    expect((await bob.put("resources/locks/away/a.txt", "b")).status).toBe(204);
  });

  it("refreshing a WebDAV lock extends it", async () => {
    const path = "resources/locks/refresh.txt";
    const { token } = await ann.lock(path, { timeout: "Second-60" });
    const again = await ann.send(`LOCK ${path}`, { headers: { ...named(token), timeout: "Infinite" } });
    expect([again.status, again.text.includes("Second-3600")]).toEqual([200, true]);
    expect(await bob.status(`LOCK ${path}`, { headers: named(token) })).toBe(412);
    expect(await ann.status(`LOCK ${path}`)).toBe(400);
  });

  it("an If header compares locks and entity tags of any path", async () => {
    const path = "resources/locks/conditions.txt";
    const etag = String((await ann.put(path, "1")).headers.etag);
    const put = async (header: string) => (await ann.put(path, "1", { if: header })).status;
    expect(await put(`([${etag}])`)).toBe(204);
    expect(await put('(["other"])')).toBe(412);
    expect(await put('(Not ["other"])')).toBe(204);
    expect(await put(`(["other"]) ([${etag}])`)).toBe(204);
    expect(await put(`</dav/${path}> ([${etag}])`)).toBe(204);
    expect(await put(`<http://elsewhere/dav/${path}> ([${etag}])`)).toBe(412);
    expect(await put("(<DAV:no-lock>)")).toBe(412);
    expect(await put("(Not <DAV:no-lock>)")).toBe(204);
    expect(await put("nonsense")).toBe(400);
    expect(await ann.status(`GET ${path}`, { headers: { if: '(["other"])' } })).toBe(412);
  });

  it("WebDAV locks in a user's space are shown to no other user", async () => {
    await ann.put("user/ann/diary.md", "x");
    expect((await ann.lock("user/ann/diary.md")).status).toBe(200);
    for (const path of ["", "user", "user/ann"]) {
      const { status, text } = await bob.send(`DELETE ${path}`);
      expect([path, status]).toEqual([path, path === "user/ann" ? 404 : 403]);
      expect(text).not.toContain("diary");
    }
    expect(await bob.status("MOVE user", { headers: { destination: "/dav/resources/x" } })).toBe(403);
  });

  it("a holder without write access cannot extend a WebDAV lock, and an administrator can remove it", async () => {
    const path = "resources/locks/denied/board.txt";
    await ann.send("MKCOL resources/locks/denied");
    await ann.put(path, "x");
    const { token } = await bob.lock("resources/locks/denied", { timeout: "Second-60" });
    const deny = {
      uri: `ctx://${path}`,
      grantee_type: "user",
      grantee_id: "bob",
      effect: "deny",
      level: "write",
    };
    const acme = { "x-ctx-account": "acme" };
    expect((await server.rest(ROOT_KEY, "POST access/grants", deny, acme)).http).toBe(200);
    const again = await bob.send("LOCK resources/locks/denied", { headers: named(token) });
    expect(again.status).toBe(403);
    const release = { headers: { "lock-token": token } };
    expect(await ann.status("UNLOCK resources/locks/denied", release)).toBe(403);
    const boss = new DavClient(() => server.port, ROOT_KEY, "acme/boss");
    expect(await boss.status("UNLOCK resources/locks/denied", release)).toBe(204);
    expect((await ann.put(path, "y")).status).toBe(204);
  });

  it("WebDAV shows no locks on a folder if the caller may know only the folder's name", async () => {
    const folder = "resources/locks/closed";
    await ann.send(`MKCOL ${folder}`);
    await ann.put(`${folder}/open.txt`, "x");
    await ann.lock(folder, { depth: "0" });
    const acme = { "x-ctx-account": "acme" };
    const grant = (uri: string, effect: string) =>
      server.rest(
        ROOT_KEY,
        "POST access/grants",
        { uri: `ctx://${uri}`, grantee_type: "user", grantee_id: "bob", effect, level: "read" },
        acme,
      );
    await grant(folder, "deny");
    await grant(`${folder}/open.txt`, "allow");
    expect(await bob.list("resources/locks")).toContain("closed");
    expect(await ann.property(folder, "lockdiscovery")).toContain("ctxlock:");
    expect(await bob.property(folder, "lockdiscovery")).toBeUndefined();
  });

  it("a WebDAV lock does not affect REST, and ends with its user", async () => {
    const path = "resources/locks/bound.txt";
    await bob.lock(path);
    const written = await server.rest(
      ROOT_KEY,
      "POST content/write",
      { uri: `ctx://${path}`, content: "by REST" },
      { "x-ctx-account": "acme" },
    );
    expect(written.http).toBe(200);
    expect((await ann.put(path, "x")).status).toBe(423);
    await server.rest(ROOT_KEY, "DELETE admin/accounts/acme/users/bob");
    expect((await ann.put(path, "x")).status).toBe(204);
  });
});

describe("WebDAV properties", () => {
  let server: Served;
  const me = new DavClient(() => server.port, ROOT_KEY);
  const update = (inner: string) =>
    `<D:propertyupdate xmlns:D="DAV:" xmlns:z="urn:schemas-microsoft-com:">${inner}</D:propertyupdate>`;
  const set = (properties: string) => update(`<D:set><D:prop>${properties}</D:prop></D:set>`);
  const patch = (path: string, body: string) => me.send(`PROPPATCH ${path}`, { body });
  const win32 = (path: string, name = "Win32FileAttributes") =>
    me.property(path, name, "urn:schemas-microsoft-com:");

  beforeAll(async () => {
    server = await serve();
    await me.send("MKCOL resources/p");
    await me.put("resources/p/a.txt", "a");
  });
  afterAll(() => server.close());

  it("WebDAV properties are stored and follow their file through changes, copies and a restart", async () => {
    const stored = await patch(
      "resources/p/a.txt",
      set(
        '<z:Win32FileAttributes>00000020</z:Win32FileAttributes><x:rich xmlns:x="urn:x" xml:lang="en">a<x:b c="1"/></x:rich>',
      ),
    );
    expect([stored.status, stored.text.match(/HTTP\/1\.1 \d+/g)]).toEqual([207, ["HTTP/1.1 200"]]);
    await me.put("resources/p/a.txt", "changed");
    await me.send("MOVE resources/p/a.txt", { headers: { destination: "/dav/resources/p/b.txt" } });
    await me.send("COPY resources/p", { headers: { destination: "/dav/resources/q" } });
    await server.restart();
    for (const path of ["resources/p/b.txt", "resources/q/b.txt"]) {
      expect(await win32(path)).toBe("00000020");
      const all = await me.send(`PROPFIND ${path}`, { headers: { depth: "0" } });
      expect(all.text).toContain('<rich xmlns="urn:x" xml:lang="en">a<x:b xmlns:x="urn:x" c="1"/></rich>');
    }
    await patch(
      "resources/p/b.txt",
      update("<D:remove><D:prop><z:Win32FileAttributes/></D:prop></D:remove>"),
    );
    expect(await win32("resources/p/b.txt")).toBeUndefined();
    await me.send("DELETE resources/q/b.txt");
    await me.put("resources/q/b.txt", "new");
    expect(await win32("resources/q/b.txt")).toBeUndefined();
  });

  it("WebDAV refuses a request that sets a property of the server, and sets none of its others", async () => {
    const { status, text } = await patch(
      "resources/p",
      set('<D:getetag>"x"</D:getetag><z:Win32CreationTime>now</z:Win32CreationTime>'),
    );
    expect([status, text.match(/HTTP\/1\.1 \d+/g)]).toEqual([207, ["HTTP/1.1 403", "HTTP/1.1 424"]]);
    expect(await win32("resources/p", "Win32CreationTime")).toBeUndefined();
  });

  it("WebDAV properties of a file are limited in number and bytes", async () => {
    const many = Array.from({ length: 65 }, (_, i) => `<z:p${i}/>`).join("");
    expect((await patch("resources/p", set(many))).text).toContain("HTTP/1.1 507");
    // so many are not measured at the commit point
    expect((await patch("resources/p", set(many))).text).toContain("it would have 65 properties; at most 64");
    const large = Array.from({ length: 3 }, (_, i) => `<z:p${i}>${"x".repeat(8000)}</z:p${i}>`).join("");
    expect((await patch("resources/p", set(large))).text).toContain("HTTP/1.1 507");
    expect((await patch("resources/p", set(`<z:p>${"x".repeat(9000)}</z:p>`))).status).toBe(400);
    expect((await patch("resources/none", set("<z:p/>"))).status).toBe(404);
    expect((await patch("resources", set("<z:p/>"))).status).toBe(403);
  });
});

describe("a server with CTXDB_WEBDAV=false", () => {
  it("a server with CTXDB_WEBDAV=false serves nothing below /dav", async () => {
    const server = await serve({ CTXDB_WEBDAV: "false", CTXDB_ROOT_API_KEY: undefined });
    const { status, headers } = await new DavClient(() => server.port).send("PROPFIND /dav/");
    expect([status, headers.dav]).toEqual([404, undefined]);
    await server.close();
  });
});

describe("a server without keys", () => {
  it("a server without keys serves local file managers without a password", async () => {
    const server = await serve({ CTXDB_ROOT_API_KEY: undefined });
    const me = new DavClient(() => server.port);
    expect((await me.put("resources/a.txt", "a")).status).toBe(201);
    expect(await me.list("resources")).toEqual(["a.txt"]);
    const rebound = { headers: { host: "evil.example" } };
    expect(await me.status("GET resources/a.txt", rebound)).toBe(403);
    await server.close();
  });
});
