import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resumeFilling } from "../../src/app/resume-work.ts";
import { accountId } from "../../src/domain/ids.ts";
import { deleteAccount } from "../../src/service/account/delete-account.ts";
import { waitProcessed } from "../../src/service/system/wait-processed.ts";
import { BLOB_GRACE_MS } from "../../src/workspace/tree/contents.ts";
import { ScriptedEmbedder } from "../support/scripted-embedder.ts";
import { newStores, type Stores } from "../support/stores.ts";
import { House } from "../support/tenant.ts";

const BOOKS = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [
    `shelf-${i % 4}/book${i}.md`,
    `# Book ${i}\n\nThe owl of volume${i} flies.\n`,
  ]),
);

const MANY = 3000;
const MANY_FILES = 150;
const TURNS_PER_QUESTION = 20;
const MANY_LIMIT_MS = 180_000;

describe("the main space", () => {
  let house: House;
  let stores: Stores;
  beforeEach(async () => {
    stores = await newStores();
  });
  afterEach(() => house.close());

  const open = async (embedders: readonly ScriptedEmbedder[], work = true) => {
    house = await House.open(stores, work, embedders);
    const [main] = embedders;
    if (main) await resumeFilling(house.deps, main.space.name, await house.registry.incarnations());
    return house.as("ann");
  };
  /** As after a kill, when jobs may have been running. */
  const restart = async (embedders: readonly ScriptedEmbedder[]) => {
    await house.stop();
    return open(embedders);
  };
  const vectors = async (space = "") =>
    (await house.keys("w/")).filter((key) => key.split("/")[2] === "v" && key.includes(`/v/${space}`));
  const chunks = async () => (await house.keys("w/")).filter((key) => key.split("/")[2] === "d");

  it("new content is found at once, and a waiting call returns when its main vectors are ready", async () => {
    const main = new ScriptedEmbedder("main");
    main.shut();
    const ann = await open([main]);
    await ann.add("books", BOOKS, { to: "ctx://resources/books", wait: false });
    expect((await ann.found("the owl of volume7"))[0]).toContain("book7.md");
    expect(await vectors()).toEqual([]);
    let isOver = false;
    const waiting = waitProcessed(house.deps, ann.call, {}).then((counts) => {
      isOver = true;
      return counts;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    main.open();
    const { vectorQueue, semanticQueue } = await waiting;
    expect(vectorQueue).toMatchObject({ errorCount: 0 });
    expect(vectorQueue.processed).toBeGreaterThan(0);
    expect(semanticQueue.errorCount).toBe(0);
    expect((await vectors("main")).length).toBe((await chunks()).length);
    expect(main.texts).toContain("Book 7. The owl of volume7 flies.");
    await house.expectSound();
  });

  it("the main space embeds no text twice, and of a changed file only the changed chunks", async () => {
    const main = new ScriptedEmbedder("main");
    const ann = await open([main]);
    await ann.add("books", BOOKS, { to: "ctx://resources/books" });
    await house.drain();
    main.texts.length = 0;
    await ann.add("books", BOOKS, { to: "ctx://resources/books" });
    await house.drain();
    expect(main.texts).toEqual([]);
    await ann.replace("ctx://resources/books/shelf-1/book1.md", "# Book 1\n\nAbout elks now.\n");
    await house.drain();
    expect(
      main.texts.filter((text) => text.includes("elks now") && text.startsWith("Book 1. ")),
    ).toHaveLength(1);
    expect(main.texts.some((text) => text.includes("volume2 flies") && text.startsWith("Book 2. "))).toBe(
      false,
    );
    await house.expectSound();
  });

  it("moving a folder embeds only the directories that list it", async () => {
    const main = new ScriptedEmbedder("main");
    const ann = await open([main]);
    await ann.add("books", BOOKS, { to: "ctx://resources/books" });
    await house.drain();
    for (const to of ["ctx://resources/books/shelf-2/inner", "ctx://user/ann/shelf"]) {
      main.texts.length = 0;
      await ann.mv(
        to.startsWith("ctx://user") ? "ctx://resources/books/shelf-2/inner" : "ctx://resources/books/shelf-1",
        to,
      );
      await house.drain();
      expect([
        to,
        main.texts.map((text) => text.split(". ")[0]).filter((title) => !/^(books|shelf-2)$/.test(title!)),
      ]).toEqual([to, []]);
      expect((await vectors("main")).length).toBe((await chunks()).length);
      await house.expectSound();
    }
  });

  it("removing content or an account leaves no main vectors", async () => {
    const main = new ScriptedEmbedder("main");
    const ann = await open([main]);
    await house.registry.createAccount(accountId("acme"), "ann");
    await ann.add("books", BOOKS, { to: "ctx://resources/books" });
    await ann.mv("ctx://resources/books/shelf-1", "ctx://user/ann/shelf");
    await ann.rm("ctx://resources/books");
    await house.drain();
    await house.expectSound();
    expect((await vectors()).length).toBe((await chunks()).length);
    await ann.rm("ctx://user/ann/shelf");
    house.stores.clock.now += BLOB_GRACE_MS + 1;
    await house.drain();
    expect(await vectors()).toEqual([]);
    await house.expectSound();
    await ann.add("books", BOOKS, { to: "ctx://resources/books", wait: false });
    await deleteAccount(house.deps, house.root, { accountId: "acme" });
    await house.drain();
    expect(await house.keys("w/")).toEqual([]);
  });

  it("chunks written without a model get main vectors later, even if the server stops meanwhile", async () => {
    let ann = await open([]);
    await ann.add("books", BOOKS, { to: "ctx://resources/books" });
    await house.drain();
    expect(await vectors()).toEqual([]);
    const main = new ScriptedEmbedder("main");
    for (let stops = 0; stops < 3; stops++) {
      ann = await restart([main]);
      await ann.found("owl");
      while (main.texts.length < 10 * (stops + 1)) await new Promise((resolve) => setImmediate(resolve));
    }
    ann = await restart([main]);
    expect((await ann.found("the owl of volume7"))[0]).toContain("book7.md");
    await house.drain();
    expect((await vectors("main")).length).toBe((await chunks()).length);
    // batches that had been embedded but not yet written when the server stopped
    expect(main.texts.length).toBeLessThan((await chunks()).length + 3 * 32);
    await house.expectSound();
  });

  it("after a change of model, the old model is used until all vectors of the new one are ready", async () => {
    const before = new ScriptedEmbedder("before");
    let ann = await open([before]);
    await ann.add("books", BOOKS, { to: "ctx://resources/books" });
    await house.drain();
    const next = new ScriptedEmbedder("next");
    next.shut();
    ann = await restart([next, before]);
    for (let i = 0; i < 40; i += 13) expect((await ann.found(`volume${i}`))[0]).toContain(`book${i}.md`);
    await ann.create("ctx://resources/new.md", "an elk that nobody knew");
    expect((await ann.found("elk"))[0]).toContain("new.md");
    expect((await vectors("before")).length).toBeGreaterThan(0);
    next.open();
    await house.drain();
    expect(await vectors("before")).toEqual([]);
    expect((await vectors("next")).length).toBe((await chunks()).length);
    await house.expectSound();
    for (let i = 0; i < 40; i += 13) expect((await ann.found(`volume${i}`))[0]).toContain(`book${i}.md`);
  });

  it("searches stay complete and as good as before while chunks are re-embedded after a change of model", {
    timeout: MANY_LIMIT_MS,
  }, async () => {
    const before = new ScriptedEmbedder("before");
    let ann = await open([before]);
    const line = (i: number) => `owl(volume${i}) ${"flies at night. ".repeat(40)}`;
    const files = Array.from({ length: MANY_FILES }, (_, file) => {
      const lines = Array.from({ length: MANY / MANY_FILES }, (_, at) => line(at * MANY_FILES + file));
      return [`shelf-${file % 10}/book${file}.py`, lines.join("\n")];
    });
    await ann.add("many", Object.fromEntries(files), { to: "ctx://resources/many" });
    await house.drain();
    expect((await chunks()).length).toBeGreaterThanOrEqual(MANY);
    const next = new ScriptedEmbedder("next");
    next.shut();
    ann = await restart([next, before]);
    for (let turn = 0; next.texts.length < MANY; turn++) {
      const volume = (turn * 997) % MANY;
      if (turn % TURNS_PER_QUESTION > 0) await new Promise((resolve) => setImmediate(resolve));
      else {
        const found = await ann.found(`owl(volume${volume}) flies at night`);
        expect(found).toContainEqual(expect.stringContaining(`/book${volume % MANY_FILES}.py`));
      }
      // waiting calls continue, later ones wait
      next.open();
      next.shut();
    }
    next.open();
    await house.drain();
    expect(await vectors("before")).toEqual([]);
    expect((await vectors("next")).length).toBe((await chunks()).length);
  });

  it("a failing model leaves the main space empty, and the next start adds the vectors", async () => {
    const broken = new ScriptedEmbedder("main");
    broken.isUsable = false;
    let ann = await open([broken]);
    await ann.create("ctx://resources/owl.md", "the owl flies at night");
    await house.drain();
    expect((await ann.found("owl"))[0]).toContain("owl.md");
    await house.expectSound();
    ann = await restart([new ScriptedEmbedder("main")]);
    await house.drain();
    expect((await vectors("main")).length).toBe((await chunks()).length);
    await house.expectSound();
  });

  it("verify reports a main vector that is missing, surplus or different in memory", async () => {
    const main = new ScriptedEmbedder("main");
    const ann = await open([main]);
    await ann.create("ctx://resources/owl.md", "the owl flies at night");
    await ann.create("ctx://resources/elk.md", "the elk walks by day");
    await ann.found("owl");
    await house.drain();
    const [owl, elk] = await vectors("main");
    const write = (key: string, value?: Uint8Array) =>
      house.stores.kv.transact(() => ({
        ops: [value === undefined ? { key, value } : { key, value }],
        apply: () => undefined,
      }));
    const before = [house.stores.kv.get(owl!)!, house.stores.kv.get(elk!)!] as const;
    const faults = async () =>
      (await house.findings()).map(({ kind, subject, fault }) => `${kind}: ${subject}: ${fault}`);
    await write(owl!);
    expect(await faults()).toEqual([
      expect.stringMatching(/^vector: .*owl\.md\): chunk \d+ of partition 1 has none in main$/),
    ]);
    await write(owl!, before[1]);
    expect(await faults()).toEqual([
      expect.stringMatching(/^vector: chunk \d+ of partition 1 in main: its vector in memory is not that/),
    ]);
    await write(owl!, before[0]);
    await write(owl!.replace("/main/", "/other/"), before[0]);
    expect(await faults()).toEqual([
      expect.stringMatching(/^vector: chunk \d+ of partition 1 in other: the workspace knows nothing/),
    ]);
  });

  it("a search ignores the main space when its query is not embedded in time", async () => {
    const main = new ScriptedEmbedder("main");
    const ann = await open([main]);
    await ann.create("ctx://resources/owl.md", "the owl flies at night");
    await house.drain();
    main.isDeaf = true;
    expect((await ann.found("owl"))[0]).toContain("owl.md");
    expect(house.deps.queryVectors.missed).toBe(1);
    main.isDeaf = false;
    await ann.found("owl");
    expect(house.deps.queryVectors.missed).toBe(1);
  });
});
