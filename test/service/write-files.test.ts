import { afterEach, describe, expect, it } from "vitest";
import { grantAccess } from "../../src/service/access/grant-access.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { listVersions } from "../../src/service/content/list-versions.ts";
import { type FileWriteInput, writeFiles } from "../../src/service/content/write-files.ts";
import { findContexts } from "../../src/service/search/find.ts";
import { InterruptedKv } from "../support/interrupted-kv.ts";
import { ramStores, type Stores } from "../support/stores.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const ROOT = "ctx://resources/site";
const MAX_CHANGES = 100;
const LONG = `# Long\n\n${Array.from({ length: 40 }, (_, i) => `## Part ${i}\n\n${"It rains a lot. ".repeat(30)}`).join("\n\n")}`;

let house: House;
let ann: Actor;

async function open(stores?: Stores): Promise<void> {
  house = await House.open(stores);
  ann = house.as("ann");
}
afterEach(() => house.close());

const write = (files: readonly FileWriteInput[], actor = ann, wait = false) =>
  writeFiles(house.deps, actor.call, { files, wait });
const file = (name: string, content: string, mode = "create"): FileWriteInput => ({
  uri: `${ROOT}/${name}`,
  content,
  mode,
});
/** Returns the code and details of a write's error. */
const refusal = (files: readonly FileWriteInput[], actor = ann) =>
  write(files, actor).then(
    () => "written",
    ({ code, details }: { code: string; details: object }) => ({ code, ...details }),
  );
const many = (count: number, text: (i: number) => string, mode = "create") =>
  Array.from({ length: count }, (_, i) => file(`f${i}.md`, text(i), mode));

describe("writing several files", () => {
  it("several files are created, replaced and appended to in one step, each with its versions", async () => {
    await open();
    await ann.create(`${ROOT}/a.md`, "one");
    await ann.create(`${ROOT}/b.md`, "first");
    const { files, queueStatus } = await write(
      [
        file("a.md", "two", "replace"),
        file("b.md", " second", "append"),
        file("deep/er/c.md", "The quetzal nests in cloud forests."),
        { uri: "ctx://user/ann/d.md", content: "", mode: "create" },
      ],
      ann,
      true,
    );
    expect(files.map(({ uri, mode, writtenBytes }) => [uri, mode, writtenBytes])).toEqual([
      [`${ROOT}/a.md`, "replace", 3],
      [`${ROOT}/b.md`, "append", 7],
      [`${ROOT}/deep/er/c.md`, "create", 35],
      ["ctx://user/ann/d.md", "create", 0],
    ]);
    expect(queueStatus).toMatchObject({ errorCount: 0 });
    expect(await ann.read(`${ROOT}/a.md`)).toBe("two");
    expect(await ann.read(`${ROOT}/b.md`)).toBe("first second");
    expect(await ann.read("ctx://user/ann/d.md")).toBe("");
    expect(await ann.found("Where does the quetzal nest?")).toContain(`${ROOT}/deep/er/c.md`);
    const versions = async (uri: string) =>
      (await listVersions(house.deps, ann.call, { uri })).versions.map(({ change, etag }) => [change, etag]);
    expect((await versions(`${ROOT}/b.md`)).map(([change]) => change)).toEqual(["append", "write"]);
    expect((await versions(`${ROOT}/a.md`))[0]).toEqual(["write", files[0]?.etag]);
    await house.drain();
    await house.expectSound();
  });

  it("two hundred long files are written in steps, replace earlier ones completely, and pass verify", async () => {
    await open();
    await write(many(200, (i) => (i < 3 ? LONG : `first ${i}`)));
    await write(
      many(200, (i) => `second ${i}`, "replace"),
      ann,
      true,
    );
    expect(await ann.tree(ROOT)).toHaveLength(200);
    expect(await ann.read(`${ROOT}/f0.md`)).toBe("second 0");
    await house.drain();
    await house.expectSound();
  });

  it("if a file is refused, the error gives its index and URI, and nothing is written", async () => {
    await open();
    await ann.create(`${ROOT}/there.md`, "there");
    await ann.create(`${ROOT}/long.md`, LONG);
    await house.drain();
    const before = await ann.tree(ROOT);
    const good = file("good.md", "good");
    const at = (name: string) => ({ index: 1, uri: `${ROOT}/${name}` });
    for (const [bad, refused] of [
      [file("missing.md", "x", "replace"), { code: "NOT_FOUND", ...at("missing.md") }],
      [file("missing.md", "x", "append"), { code: "NOT_FOUND", ...at("missing.md") }],
      [file("there.md", "x"), { code: "ALREADY_EXISTS", ...at("there.md") }],
      [file("there.md/below.md", "x"), { code: "FAILED_PRECONDITION", ...at("there.md/below.md") }],
      [file("good.md/below.md", "x"), { code: "FAILED_PRECONDITION", ...at("good.md/below.md") }],
      [file("long/new.md", "x"), { code: "FAILED_PRECONDITION", ...at("long/new.md") }],
      [file("a.md", "x", "other"), { code: "INVALID_ARGUMENT", field: "files[1].mode", ...at("a.md") }],
      [file(".abstract.md", "x"), { code: "INVALID_ARGUMENT", ...at(".abstract.md") }],
      [good, { code: "INVALID_ARGUMENT", field: "files[1].uri", ...at("good.md") }],
      [
        { ...file("there.md", "x", "replace"), ifMatch: ["0"] },
        { code: "FAILED_PRECONDITION", reason: "etag" },
      ],
      [
        { uri: "ctx://user/bob/a.md", content: "x", mode: "create" },
        { code: "NOT_FOUND", index: 1 },
      ],
      [
        { uri: "ctx://session/ann/a.md", content: "x", mode: "create" },
        { code: "PERMISSION_DENIED", index: 1 },
      ],
      [
        { uri: "no uri", content: "x" },
        { code: "INVALID_URI", index: 1 },
      ],
    ] as const)
      expect(await refusal([good, bad]), JSON.stringify(bad)).toMatchObject(refused);
    expect(await refusal(many(201, () => "x"))).toMatchObject({ code: "INVALID_ARGUMENT", field: "files" });
    const mib = "x".repeat(1024 * 1024);
    expect(await refusal(many(17, () => mib))).toMatchObject({ code: "INVALID_ARGUMENT", field: "files" });
    await house.drain();
    expect(await ann.tree(ROOT)).toEqual(before);
    await house.expectSound();
  });

  it("if the caller may not write one of the files, none is written", async () => {
    await open();
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ada" });
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob", role: "user" });
    const ada = house.as("ada", "acme", "admin");
    const bob = house.as("bob", "acme", "user");
    await ada.create("ctx://resources/open/a.md", "a");
    await ada.create("ctx://resources/closed/a.md", "a");
    await grantAccess(house.deps, ada.call, {
      uri: "ctx://resources/closed",
      granteeType: "user",
      granteeId: "bob",
      level: "write",
      effect: "deny",
    });
    const both = ["open", "closed"].map((folder) => ({
      uri: `ctx://resources/${folder}/a.md`,
      content: "b",
      mode: "replace",
    }));
    expect(await refusal(both, bob)).toMatchObject({ code: "PERMISSION_DENIED", index: 1 });
    expect(await ada.read("ctx://resources/open/a.md")).toBe("a");
    expect(await codeOf(write(both, ada))).toBe("OK");
    await house.drain();
    await house.expectSound();
  });

  it("writing several files is atomic, whatever changes between its steps", async () => {
    let change = 0;
    for (; change < MAX_CHANGES; change++) {
      const kv = new InterruptedKv();
      await open(ramStores(kv));
      await ann.create(`${ROOT}/f0.md`, "earlier");
      await house.drain();
      kv.interruptAt(change, () => ann.replace(`${ROOT}/f0.md`, "meanwhile"));
      const code = await codeOf(
        write([file("f0.md", LONG, "replace"), ...many(20, (i) => `text ${i}`).slice(1)]),
      );
      const isInterrupted = await kv.wasInterrupted();
      expect(code).toBe("OK");
      expect(["meanwhile", LONG]).toContain(await ann.read(`${ROOT}/f0.md`));
      expect(await ann.read(`${ROOT}/f19.md`)).toBe("text 19");
      await house.drain();
      await house.expectSound();
      if (!isInterrupted) break;
      await house.close();
    }
    expect(change).toBeGreaterThan(1);
    expect(change).toBeLessThan(MAX_CHANGES);
  });

  it("concurrent writes of the same files in different orders both succeed", async () => {
    await open();
    const one = many(5, () => "one");
    await write(one);
    const two = many(5, () => "two", "replace");
    const three = many(5, () => "three", "replace").reverse();
    await Promise.all([write(two), write(three), ann.append(`${ROOT}/f2.md`, "!")]);
    const texts = await Promise.all(one.map(({ uri }) => ann.read(uri)));
    expect(new Set(texts.map((text) => text.replace("!", ""))).size).toBe(1);
    await house.drain();
    await house.expectSound();
    const { resources } = await findContexts(house.deps, ann.call, {
      query: "one",
      targetUris: [ROOT],
      limit: 5,
    });
    expect(resources.filter(({ match }) => match.includes("one"))).toEqual([]);
  });
});
