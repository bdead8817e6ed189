import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { extract } from "tar";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { verifyFolder } from "../../src/server/verify-data-dir.ts";
import { type Served, serve } from "../support/served.ts";
import { silentLog } from "../support/silent-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Created by test/fixtures/make-data-directory.ts with the previous release. */
const NAME = "data-format-1";
const fixture = (file: string) => fileURLToPath(new URL(`../fixtures/${file}`, import.meta.url));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: Served;
let known: { readonly ann: string; readonly bob: string; readonly session: string };

const verified = () => verifyFolder(join(folder.path, NAME), { log: silentLog, now: systemClock });

async function result(key: string, call: string, body?: object): Promise<unknown> {
  const answer = await server.rest(key, call, body);
  expect(answer, call).toMatchObject({ http: 200 });
  return answer.result;
}

const uris = async (key: string, query: string): Promise<readonly string[]> => {
  const found = await result(key, "POST search/find", { query });
  return [...JSON.stringify(found).matchAll(/"uri":"([^"]+)"/g)].map(([, uri = ""]) => uri);
};

beforeAll(async () => {
  folder = await temporaryFolder();
  await extract({ file: fixture(`${NAME}.tar.gz`), cwd: folder.path });
  known = JSON.parse(await readFile(fixture(`${NAME}.json`), "utf8"));
  server = await serve({ CTXDB_DATA_DIR: join(folder.path, NAME) });
});
afterAll(async () => {
  await server?.close();
  await folder.remove();
});

it("a data directory of the previous release is read: files, sections, layers, relations and skills", async () => {
  const { ann } = known;
  expect(await result(ann, "GET content/read?uri=ctx://resources/notes/plan.md")).toContain(
    "Count the nests",
  );
  const tree = JSON.stringify(await result(ann, "GET fs/tree?uri=ctx://resources"));
  for (const name of ["birds", "pages", "notes/plan.md"]) expect(tree).toContain(name);
  expect(JSON.stringify(await result(ann, "GET content/abstract?uri=ctx://resources/notes"))).toContain(
    "Notes",
  );
  const relations = await result(ann, "GET relations?uri=ctx://resources/birds");
  expect(JSON.stringify(relations)).toContain("the plan is about them");
  expect(JSON.stringify(await result(ann, "GET skills"))).toContain("nest-counter");
});

it("a data directory of the previous release can be searched with its existing API keys", async () => {
  const { ann, bob } = known;
  expect((await uris(ann, "how does a barn owl find mice")).join()).toContain("ctx://resources/birds");
  expect((await uris(ann, "forked tail of the red kite")).join()).toContain("ctx://resources/pages");
  expect((await uris(bob, "where does the user live")).join()).toContain("memories");
});

it("a session of the previous release keeps its archive and messages and can be committed again", async () => {
  const { bob, session } = known;
  const before = JSON.stringify(await result(bob, `GET sessions/${session}/context`));
  expect(before).toContain("What do owls eat?");
  await result(bob, `POST sessions/${session}/messages`, { role: "assistant", content: "Mice." });
  await result(bob, `POST sessions/${session}/commit`, { wait: true });
  const listed = JSON.stringify(
    await result(bob, `GET fs/ls?uri=ctx://session/bob/${session}/history&recursive=true`),
  );
  for (const archive of ["archive_001", "archive_002"]) expect(listed).toContain(archive);
  expect(JSON.stringify(await result(bob, "GET tasks"))).toContain("completed");
});

it("a data directory of the previous release accepts changes and is consistent after them", async () => {
  const { ann } = known;
  await result(ann, "POST content/write", {
    uri: "ctx://resources/notes/new.md",
    content: "Puffins nest in burrows.\n",
    mode: "create",
    wait: true,
  });
  expect(await uris(ann, "puffins burrows")).toContain("ctx://resources/notes/new.md");
  await result(ann, "POST fs/mv", { from_uri: "ctx://resources/birds", to_uri: "ctx://resources/owls" });
  await result(ann, "POST system/wait", {});
  let findings: readonly string[] = ["not verified"];
  await server.restart(async () => {
    findings = await verified();
  });
  expect(findings).toEqual([]);
});
