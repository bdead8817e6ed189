import { execFileSync } from "node:child_process";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { archiveOf } from "../support/archive.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { serveWeb, type WebServer } from "../support/web-server.ts";

interface Added {
  readonly root_uri: string;
  readonly task_id: string;
  readonly warnings: readonly string[];
  readonly queue_status: {
    readonly vector_queue: { readonly processed: number };
    readonly processed: number;
  };
}

let served: Served;
let web: WebServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const rest = (line: string, body?: object) => served.rest(ROOT_KEY, line, body);
const add = async (path: string, more: object = {}): Promise<Added> => {
  const answer = await rest("POST resources", { path, wait: true, ...more });
  expect(answer.error).toBeUndefined();
  return answer.result as Added;
};
const refused = async (path: string, more: object = {}) =>
  (await rest("POST resources", { path, wait: true, ...more })).error?.code;
const names = async (uri: string): Promise<string[]> =>
  (await rest(`GET fs/ls?uri=${uri}&simple=true&recursive=true`)).result as string[];
const read = async (uri: string): Promise<string> =>
  String((await rest(`GET content/read?uri=${encodeURIComponent(uri)}`)).result);
const ended = async (id: string): Promise<{ status: string; error?: { code: string } }> => {
  await rest("POST system/wait", {});
  return (await rest(`GET tasks/${id}`)).result as { status: string; error?: { code: string } };
};

interface Schedule {
  readonly state: string;
  readonly last_run_at?: string;
  readonly last_outcome?: string;
  readonly last_error?: string;
  readonly last_task_id?: string;
}
/** Runs a resource's schedule and waits for the result. */
const run = async (uri: string): Promise<Schedule> => {
  const now = async () =>
    ((await rest(`GET resources/schedules?uri=${uri}`)).result as Schedule[])[0] as Schedule;
  const before = (await now()).last_run_at;
  expect(await rest("POST resources/schedules/run", { uri })).toMatchObject({ http: 200 });
  await vi.waitFor(async () => expect((await now()).last_run_at).not.toBe(before), {
    timeout: 30_000,
    interval: 50,
  });
  return now();
};

beforeAll(async () => {
  folder = await temporaryFolder();
  const work = join(folder.path, "work");
  await mkdir(join(work, "docs", "deep"), { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: work,
      env: {
        PATH: "/usr/local/bin:/usr/bin:/bin",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_AUTHOR_NAME: "a",
        GIT_AUTHOR_EMAIL: "a@b",
        GIT_COMMITTER_NAME: "a",
        GIT_COMMITTER_EMAIL: "a@b",
      },
    });
  git("init", "-q", "-b", "main");
  await writeFile(join(work, "README.md"), "# Birds\n\nThe quetzal nests in cloud forests.");
  await writeFile(join(work, "docs", "deep", "a.md"), "# Deep");
  await writeFile(join(work, "secret.md"), "not in archives");
  await writeFile(join(work, ".gitattributes"), "secret.md export-ignore\n*.md filter=evil\n");
  await symlink("/etc/passwd", join(work, "passwd.md"));
  git("add", ".");
  git("commit", "-q", "-m", "one");
  git("checkout", "-q", "-b", "topic/new");
  await writeFile(join(work, "docs", "b.md"), "# B of the branch");
  git("add", ".");
  git("commit", "-q", "-m", "two");
  git("checkout", "-q", "main");
  git("clone", "-q", "--bare", work, join(folder.path, "birds.git"));
  web = await serveWeb(folder.path);
  served = await serve({ CTXDB_URL_ALLOW_PRIVATE: "true", CTXDB_LOCAL_PATHS: folder.path });
});
afterAll(async () => {
  await served.close();
  await web.close();
  await folder.remove();
});

describe("a page", () => {
  it("an imported web page is stored and read as Markdown with absolute links", async () => {
    const body = "The resplendent quetzal is found in cloud forests. ".repeat(10);
    web.pages.set(
      "/p/birds.html",
      `<html><head><title>Birds</title></head><body><nav>menu</nav><article><h1>Birds</h1><p>${body}<a href="../more">field guide</a> <img src="q.png" alt="a quetzal"></p></article><script>EVIL</script></body></html>`,
    );
    const { root_uri } = await add(`${web.base}/p/birds.html`);
    expect([root_uri, await names(root_uri)]).toEqual([
      "ctx://resources/birds",
      [`${root_uri}/birds.html`, `${root_uri}/birds.md`],
    ]);
    const text = await read(`${root_uri}/birds.md`);
    expect(text).toContain(`[field guide](${web.base}/more)`);
    expect(text).toContain(`${web.base}/p/q.png`);
    expect(text).not.toMatch(/EVIL|<p>/);
    expect(web.requests).not.toContain("/p/q.png");
  });

  it("a web page is decoded by the charset of its header", async () => {
    web.pages.set("/ru", (_, response) => {
      response.writeHead(200, { "content-type": "text/plain; charset=windows-1251" });
      response.end(Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]));
    });
    const { root_uri } = await add(`${web.base}/ru`);
    expect(await read(`${root_uri}/ru.txt`)).toContain("Привет");
  });

  it("a web page has one source for every spelling of its URL, and is skipped when unchanged", async () => {
    web.pages.set("/same.md", "# Same\n\nwords");
    const first = await add(`${web.base}/same.md`, { reason: "why" });
    const again = await add(`${web.base.replace("http", "HTTP")}/x/../same.md#part`);
    expect([again.root_uri, again.queue_status.vector_queue.processed]).toEqual([first.root_uri, 0]);
    const refreshed = (await rest("POST resources/refresh", { uri: first.root_uri, wait: true }))
      .result as Added;
    expect(refreshed.queue_status.vector_queue.processed).toBe(0);
    web.pages.set("/same.md", "# Same\n\nother words");
    await rest("POST resources/refresh", { uri: first.root_uri, wait: true });
    expect(await read(`${first.root_uri}/same.md`)).toContain("other words");
  });

  it("a refresh requests a page with its ETag or date, and skips an unchanged page", async () => {
    const asked: unknown[] = [];
    let etag = '"one"';
    web.pages.set("/tagged.md", (request, response) => {
      asked.push([request.headers["if-none-match"], request.headers["if-modified-since"]]);
      const isSame = request.headers["if-none-match"] === etag;
      response.writeHead(isSame ? 304 : 200, {
        "content-type": "text/markdown",
        etag,
        "last-modified": "Sun, 01 Nov 2026 10:00:00 GMT",
      });
      response.end(isSame ? undefined : `# Tagged\n\nstate ${etag}`);
    });
    web.pages.set("/to-tagged.md", (_, response) =>
      response.writeHead(302, { location: "/tagged.md" }).end(),
    );
    const { root_uri } = await add(`${web.base}/to-tagged.md`);
    const again = async () =>
      (await rest("POST resources/refresh", { uri: root_uri, wait: true })).result as Added & {
        status: string;
      };
    expect(await again()).toMatchObject({ status: "success", root_uri, queue_status: { processed: 0 } });
    expect(await names(root_uri)).toEqual([`${root_uri}/tagged.md`]);
    etag = '"two"';
    await again();
    expect(await read(`${root_uri}/tagged.md`)).toBe('# Tagged\n\nstate "two"');
    // the server does not know a state with these local changes
    await rest("POST content/write", { uri: `${root_uri}/tagged.md`, content: "mine", mode: "replace" });
    await again();
    expect(await read(`${root_uri}/tagged.md`)).toBe('# Tagged\n\nstate "two"');
    const date = "Sun, 01 Nov 2026 10:00:00 GMT";
    expect(asked).toEqual([
      [undefined, undefined],
      ['"one"', date],
      ['"one"', date],
      [undefined, undefined],
    ]);
  });

  it("a scheduled refresh of a page sends a conditional request, and reports an error of its server", async () => {
    let etag = '"one"';
    const asked: unknown[] = [];
    web.pages.set("/planned.md", (request, response) => {
      asked.push(request.headers["if-none-match"]);
      const isSame = request.headers["if-none-match"] === etag;
      response.writeHead(isSame ? 304 : 200, { "content-type": "text/markdown", etag });
      response.end(isSame ? undefined : `# Planned\n\nstate ${etag}`);
    });
    const { root_uri } = await add(`${web.base}/planned.md`);
    await rest("PUT resources/schedules", { uri: root_uri, interval_seconds: 86_400 });
    // the first run finds the page unchanged but has no earlier state to compare it with
    await run(root_uri);
    expect(await run(root_uri)).toMatchObject({ last_outcome: "unchanged" });
    etag = '"two"';
    expect(await run(root_uri)).toMatchObject({ last_outcome: "updated" });
    expect(await read(`${root_uri}/planned.md`)).toBe('# Planned\n\nstate "two"');
    expect(asked).toEqual([undefined, '"one"', '"one"', '"one"']);
    web.pages.delete("/planned.md");
    expect(await run(root_uri)).toMatchObject({
      state: "active",
      last_outcome: "failed",
      last_error: expect.stringContaining("planned.md"),
    });
    await rest(`DELETE resources/schedules?uri=${root_uri}`);
  });

  it("a page whose server answers 304 to an unconditional request is refused", async () => {
    web.pages.set("/odd.md", (_, response) => response.writeHead(304).end());
    expect(await refused(`${web.base}/odd.md`)).toBe("INVALID_ARGUMENT");
  });

  it("a page that cannot be fetched fails the call or task, and earlier content stays", async () => {
    web.pages.set("/goes.md", "# Stays");
    const { root_uri } = await add(`${web.base}/goes.md`);
    web.pages.delete("/goes.md");
    expect((await rest("POST resources/refresh", { uri: root_uri, wait: true })).error?.code).toBe(
      "NOT_FOUND",
    );
    const { task_id } = (await rest("POST resources", { path: `${web.base}/goes.md` })).result as Added;
    expect(await ended(task_id)).toMatchObject({ status: "failed", error: { code: "NOT_FOUND" } });
    expect(await read(`${root_uri}/goes.md`)).toBe("# Stays");
    expect([await refused(`${web.base}/never`), await names("ctx://resources")]).toEqual([
      "NOT_FOUND",
      expect.not.arrayContaining(["ctx://resources/never"]),
    ]);
  });
});

describe("an archive", () => {
  it("an archive from a path, a URL or an upload becomes a folder with its name", async () => {
    const zip = await archiveOf([
      ["kit/a.md", "# A"],
      ["kit/docs/b.txt", "b"],
    ]);
    await writeFile(join(folder.path, "kit.zip"), zip);
    web.pages.set("/get/kit.zip", (_, response) => response.end(zip));
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(zip)]), "kit.zip");
    const upload = ((await rest("POST resources/temp_upload", form)).result as { temp_path: string })
      .temp_path;
    const roots = [
      await add(join(folder.path, "kit.zip")),
      await add(`${web.base}/get/kit.zip`),
      (await rest("POST resources", { temp_path: upload, source_name: "named", wait: true })).result as Added,
    ];
    expect(roots.map(({ root_uri }) => root_uri)).toEqual([
      "ctx://resources/kit",
      "ctx://resources/kit_1",
      "ctx://resources/named",
    ]);
    for (const { root_uri } of roots)
      expect(await names(root_uri)).toEqual(
        ["a.md", "docs", "docs/b.txt"].map((name) => `${root_uri}/${name}`),
      );
  });

  it("an archive outside the allowed folders is refused unread, and a hostile archive stores nothing", async () => {
    expect(await refused("/etc/none.zip")).toBe("PERMISSION_DENIED");
    await writeFile(join(folder.path, "bomb.tgz"), gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    await writeFile(join(folder.path, "no.zip"), "PK\u0003\u0004 no zip");
    await symlink("/etc/hostname", join(folder.path, "link.zip"));
    expect([
      await refused(join(folder.path, "bomb.tgz")),
      await refused(join(folder.path, "no.zip")),
      await refused(join(folder.path, "link.zip")),
    ]).toEqual(["INVALID_ARGUMENT", "INVALID_ARGUMENT", "PERMISSION_DENIED"]);
    expect(await names("ctx://resources")).toEqual(
      expect.not.arrayContaining(["ctx://resources/bomb", "ctx://resources/no", "ctx://resources/link"]),
    );
  });
});

describe("a repository", () => {
  it("a repository is imported with its own files, and its git configuration has no effect", async () => {
    const { root_uri, warnings } = await add(`${web.base}/birds.git`, { strict: false });
    expect(root_uri).toBe("ctx://resources/birds_1");
    expect(await names(root_uri)).toEqual(
      ["README.md", "docs", "docs/deep", "docs/deep/a.md", "secret.md"].map((name) => `${root_uri}/${name}`),
    );
    expect(warnings).toEqual(["passwd.md: skipped: not a regular file"]);
    const again = (await rest("POST resources/refresh", { uri: root_uri, wait: true })).result as Added;
    expect(again.queue_status.processed).toBe(0);
  });

  it("a scheduled refresh fetches a repository only if its commit has changed", async () => {
    const outcomes: unknown[] = [];
    for (const [to, path] of [
      ["ctx://resources/head", "birds.git"],
      ["ctx://resources/topic", "birds.git/tree/topic/new/docs"],
    ]) {
      await add(`${web.base}/${path}`, { to, strict: false });
      expect(await rest("PUT resources/schedules", { uri: to })).toMatchObject({ http: 200 });
      const first = await run(to as string);
      const second = await run(to as string);
      outcomes.push([first.last_outcome, second.last_outcome, second.last_task_id === first.last_task_id]);
      await rest(`DELETE resources/schedules?uri=${to}`);
    }
    expect(outcomes).toEqual([
      ["updated", "unchanged", true],
      ["updated", "unchanged", true],
    ]);
  });

  it("a repository is imported by branch and folder", async () => {
    const { root_uri } = await add(`${web.base}/birds.git/tree/topic/new/docs`, {
      to: "ctx://resources/branch",
    });
    expect(await names(root_uri)).toEqual(["b.md", "deep", "deep/a.md"].map((name) => `${root_uri}/${name}`));
    const codes = ["none.git", "birds.git/tree/never", "birds.git/tree/main/never"].map((path) =>
      refused(`${web.base}/${path}`),
    );
    expect(await Promise.all(codes)).toEqual(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
  });
});

it("imports leave nothing in the scratch folder", async () => {
  let left: string[] = ["unknown"];
  // all jobs have ended by then
  await served.restart(async () => {
    left = await readdir(join(served.dataDir, "scratch"));
  });
  expect(left).toEqual([]);
});

it("an import that must not connect to a private address fails at once, without a task", async () => {
  const closed = await serve();
  try {
    const before = web.requests.length;
    const { port } = new URL(web.base);
    for (const path of [
      `${web.base}/x`,
      `http://localhost:${port}/x`,
      `${web.base}/birds.git`,
      `git://127.0.0.1:${port}/x`,
      `git@127.0.0.1:${port}/x.git`,
      `ssh://127.0.0.1:${port}/x.git`,
    ]) {
      const answer = await closed.rest(ROOT_KEY, "POST resources", { path });
      expect([path, answer.error?.code]).toEqual([path, "PERMISSION_DENIED"]);
    }
    expect(web.requests.length).toBe(before);
  } finally {
    await closed.close();
  }
});
