import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Entry, NO_NODE, type NodeRecord, nodeId } from "../../../src/domain/node.ts";
import { MutableSegment } from "../../../src/index/segments/mutable-segment.ts";
import { decodeChunk, encodeChunk } from "../../../src/index/segments/record.ts";
import { lastNumber } from "../../../src/storage/key-numbers.ts";
import { encodeRecord } from "../../../src/storage/record-codec.ts";
import type { TrashRecord } from "../../../src/workspace/trash/records.ts";
import { BLOB_GRACE_MS } from "../../../src/workspace/tree/contents.ts";
import type { Finding } from "../../../src/workspace/verify/findings.ts";
import { verify } from "../../../src/workspace/verify/verify.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { STORES } from "../../support/stores.ts";
import { type Actor, House } from "../../support/tenant.ts";

const OWL = "ctx://resources/a/owl.md";
const BIG = "ctx://resources/a/big.md";
const LONG = "ctx://resources/a/long.md";
const PARTS = Array.from(
  { length: 30 },
  (_, i) => `# Part ${i}\n\n${`Sentence ${i} about owls and rivers. `.repeat(12)}\n`,
).join("\n");

describe.each(STORES)("verify over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  let workspace: Workspace;
  beforeEach(async () => {
    house = await House.open(await stores());
    ann = house.as("ann");
    await ann.create(OWL, "the owl flies at night");
    await ann.create(BIG, "wide rivers ".repeat(3000));
    await ann.create(LONG, PARTS);
    await ann.replace(OWL, "the owl flies");
    await ann.replace(OWL, "the owl flies at night");
    await ann.mkdir("ctx://resources/a/described", "given");
    await ann.found("owl");
    await house.drain();
    workspace = await house.workspaceOf();
  });
  afterEach(() => house.close());

  const write = (key: string, value: Uint8Array | undefined) =>
    house.stores.kv.transact(() => ({
      ops: [value === undefined ? { key, value } : { key, value }],
      apply: () => undefined,
    }));
  const located = async (uri: string): Promise<{ record: NodeRecord; entry: Entry; key: string }> => {
    const found = workspace.entryOf(await ann.node(uri))!;
    return { ...found, key: workspace.keys.entry(found.record.directory, found.record.name) };
  };
  const change = async (uri: string, fields: Partial<Entry>) => {
    const { key, entry } = await located(uri);
    await write(key, encodeRecord({ ...entry, ...fields }));
  };
  const chunkKey = async (uri: string) => {
    const { partition, first } = (await located(uri)).entry.chunks!;
    return workspace.keys.chunk(partition, first);
  };
  const rewriteChunk = async (uri: string, more: Partial<ReturnType<typeof decodeChunk>>) => {
    const key = await chunkKey(uri);
    await write(key, encodeChunk({ ...decodeChunk(workspace.kv.get(key)!), ...more }));
  };
  const tailOf = (partition: number) => {
    const tail = workspace.index.loadedSegments([partition])?.at(-1);
    if (!(tail instanceof MutableSegment)) throw new Error("the partition is not in memory");
    return tail;
  };
  const said = (findings: readonly Finding[]) =>
    findings.map(({ kind, subject, fault }) => `${kind}: ${subject}: ${fault}`);

  it("verify reports items of the trash without a record, a directory or their node", async () => {
    await house.close();
    const trash = { items: 10, bytes: 1e9, lifeMs: 1e9 };
    house = await House.open(await stores(), true, [], undefined, undefined, { trash });
    ann = house.as("ann");
    for (const name of ["one", "two", "three"]) {
      await ann.create(`ctx://resources/${name}.md`, name);
      await ann.rm(`ctx://resources/${name}.md`);
    }
    await house.drain();
    await house.expectSound();
    workspace = await house.workspaceOf();
    const { keys, kv } = workspace;
    const [one = "", two = "", three = ""] = await house.keys(keys.trashOf("+shared"));
    await write(one, undefined);
    const record: TrashRecord = JSON.parse(Buffer.from(kv.get(two)!).toString());
    await write(two, encodeRecord({ ...record, node: 3999 }));
    const space = workspace.table.parentOf(nodeId(lastNumber(three)));
    await write(keys.entry(space, three.slice(-7)), undefined);
    const found = said(await house.findings()).filter((one) => one.startsWith("trash"));
    expect(found).toEqual([
      expect.stringMatching(
        /^trash: item \d+ of the trash of \+shared: node 3999, which it holds, is not in/,
      ),
      expect.stringMatching(/^trash: item \d+ of the trash of \+shared: it has no directory/),
      expect.stringMatching(/^trash: item \d+ of the trash of \+shared: it has no record/),
    ]);
  });

  it("verify finds nothing in an intact workspace", async () => {
    await house.expectSound();
    await ann.rm("ctx://resources/a");
    await house.drain();
    await house.expectSound();
  });

  const damages: [name: string, damage: () => Promise<unknown>, named: RegExp][] = [
    [
      "a deleted entry",
      async () => write((await located(OWL)).key, undefined),
      /^node: node \d+ \(ctx:\/\/resources\/a\/owl\.md\): no entry "owl\.md"/,
    ],
    [
      "a deleted node record",
      async () => write(workspace.keys.node(await ann.node(OWL)), undefined),
      /^entry: entry "owl\.md" in node \d+ \(ctx:\/\/resources\/a\): node \d+ has no record/,
    ],
    [
      "a node record that is cut off",
      async () => write(workspace.keys.node(await ann.node(OWL)), Buffer.from('{"directory":2,"na')),
      /^record: record w\/\S+\/n\/\S+: its value is not a valid node$/,
    ],
    [
      "a property without a value",
      async () =>
        write(
          workspace.keys.properties(await ann.node(OWL)),
          encodeRecord([{ namespace: "urn:x", name: "colour" }]),
        ),
      /^record: record w\/\S+\/q\/\S+: its value is not a valid list of properties$/,
    ],
    [
      "a usage count that is not a number",
      async () => write(workspace.keys.usage(await ann.node(OWL)), encodeRecord({ activeCount: "4" })),
      /^record: record w\/\S+\/u\/\S+: its value is not a valid usage$/,
    ],
    [
      "a node record of another entry",
      async () =>
        write(workspace.keys.node(await ann.node(OWL)), encodeRecord({ directory: 2, name: "else" })),
      /^entry: entry "owl\.md" in .* names another entry, "else"/,
    ],
    [
      "an unreachable subtree",
      async () => write((await located("ctx://resources/a")).key, undefined),
      /^entry: entry "owl\.md" .* cannot be reached/,
    ],
    [
      "a changed generation",
      () => change(OWL, { generation: 4000 }),
      /^table: .*owl\.md\): its generation is \d+ in memory and 4000/,
    ],
    [
      "a generation above its counter",
      () => change(OWL, { generation: 99_999 }),
      /^counter: .*owl\.md\): the generation number 99999 is not below the limit/,
    ],
    [
      "a changed kind",
      () => change(OWL, { kind: "directory" }),
      /^table: .*owl\.md\): its kind is 0 in memory and 1/,
    ],
    [
      "a deleted content",
      async () =>
        write(
          workspace.keys.content((await located(OWL)).entry.node, (await located(OWL)).entry.generation),
          undefined,
        ),
      /^content: .*owl\.md\): its content is missing/,
    ],
    [
      "a flipped byte of a content",
      async () => {
        const { entry } = await located(OWL);
        const key = workspace.keys.content(entry.node, entry.generation);
        const value = Uint8Array.from(workspace.kv.get(key)!);
        value[5]! ^= 1;
        await write(key, value);
      },
      /^content: .*owl\.md\): its content does not have the hash/,
    ],
    [
      "a content of nothing",
      () => write(workspace.keys.content(nodeId(3999), 1), Uint8Array.of(0, 65)),
      /^content: node 3999: content of generation 1 belongs to nothing/,
    ],
    [
      "a changed size",
      () => change(OWL, { size: 3 }),
      /^content: .*owl\.md\): its content has 22 bytes, its entry says 3/,
    ],
    [
      "a deleted blob",
      async () => house.stores.blobs.remove(workspace.contents.bucket, (await located(BIG)).entry.hash!),
      /^blob: .*big\.md\): blob [0-9a-f]{64}, its content, is missing/,
    ],
    [
      "a deleted blob record",
      async () => write(workspace.keys.blob((await located(BIG)).entry.hash!), undefined),
      /^blob: blob [0-9a-f]{64}: contents name it and it has no record/,
    ],
    [
      "a wrong count of references",
      async () =>
        write(
          workspace.keys.blob((await located(BIG)).entry.hash!),
          encodeRecord({ references: 2, bytes: 36_000 }),
        ),
      /^blob: blob [0-9a-f]{64}: its record counts 2 references, 1 contents/,
    ],
    [
      "wrong bytes of a blob",
      async () =>
        write(
          workspace.keys.blob((await located(BIG)).entry.hash!),
          encodeRecord({ references: 1, bytes: 1 }),
        ),
      /^blob: blob [0-9a-f]{64}: its file has 36000 bytes, its record says 1/,
    ],
    [
      "a blob of nothing",
      async () => {
        await house.stores.blobs.put(workspace.contents.bucket, Buffer.from("left over"));
        house.stores.clock.now += BLOB_GRACE_MS + 1;
      },
      /^blob: blob [0-9a-f]{64}: its file has no record/,
    ],
    [
      "a deleted layer",
      async () =>
        write(
          workspace.keys.layer(
            (await located("ctx://resources/a")).entry.node,
            (await located("ctx://resources/a")).entry.generation,
            1,
          ),
          undefined,
        ),
      /^layer: .*resources\/a\): it has L0, which/,
    ],
    [
      "a layer that nothing says of",
      () => change("ctx://resources/a", { layered: false }),
      /^layer: .*resources\/a\): it has L0 and L1/,
    ],
    [
      "a layer of nothing",
      () => write(workspace.keys.layer(nodeId(3999), 7, 0), Buffer.from("x")),
      /^layer: node 3999: layer 0 of generation 7/,
    ],
    [
      "a deleted chunk",
      async () => write(await chunkKey(OWL), undefined),
      /^chunk: .*owl\.md\): chunk \d+ of partition \d+ is missing/,
    ],
    [
      "a damaged chunk",
      async () => write(await chunkKey(OWL), workspace.kv.get(await chunkKey(OWL))!.slice(0, 30)),
      /^chunk: chunk \d+ of partition \d+: its record is damaged/,
    ],
    [
      "a chunk of another generation",
      () => rewriteChunk(OWL, { generation: 4000 }),
      /^chunk: .*owl\.md\): chunk \d+ of partition \d+, of generation 4000, belongs to nothing/,
    ],
    [
      "a chunk of nothing",
      async () => write(workspace.keys.chunk(1, 4000), workspace.kv.get(await chunkKey(OWL))!),
      /^chunk: .*owl\.md\): chunk 4000 of partition 1, .* belongs to nothing/,
    ],
    [
      "a changed posting",
      () => rewriteChunk(OWL, { terms: new Map([["owl", 9]]) }),
      /^tail: .*owl\.md\): chunk \d+ of partition \d+: its postings in memory/,
    ],
    [
      "a changed vector",
      () => rewriteChunk(OWL, { instant: { scale: 1, values: new Int8Array(128) } }),
      /^tail: .*owl\.md\): .* its vector in memory/,
    ],
    [
      "a changed length",
      () => rewriteChunk(OWL, { length: 77 }),
      /^tail: .*owl\.md\): .* its length is .* and 77 in its record/,
    ],
    [
      "a posting missing in memory",
      async () => tailOf(1).remove((await located(OWL)).entry.chunks!.first),
      /^tail: .*owl\.md\): .* it is not in memory/,
    ],
    [
      "a posting too many in memory",
      async () => tailOf(1).add(4001, decodeChunk(workspace.kv.get(await chunkKey(OWL))!)),
      /^tail: partition 1: \d+ chunks in memory, \d+ in the records/,
    ],
    [
      "a chunk where nobody looks",
      async () => change(OWL, { chunks: { ...(await located(OWL)).entry.chunks!, partition: 9 } }),
      /^partition: .*owl\.md\): its chunks are in partition 9/,
    ],
    [
      "two owners of a partition",
      () => write(workspace.keys.partition("zoe"), encodeRecord(1)),
      /^partition: partition 1: it is that of \+shared and of zoe/,
    ],
    [
      "an unknown guest",
      () => write(workspace.keys.manifest(1), encodeRecord({ guests: [99_999] })),
      /^counter: guest of partition 1: the partition number 99999/,
    ],
    [
      "a manifest of nobody",
      () => write(workspace.keys.manifest(77), encodeRecord({ guests: [] })),
      /^partition: partition 77: it has a manifest and no owner/,
    ],
    [
      "a vector of nothing",
      () => write(workspace.keys.vector("main", 1, 4000), Uint8Array.of(1)),
      /^vector: chunk 4000 of partition 1 in main: it has a vector and no chunk/,
    ],
    [
      "a source that does not know it",
      async () =>
        write(
          workspace.keys.node(await ann.node(LONG)),
          encodeRecord({ ...(await located(LONG)).record, derived: undefined }),
        ),
      /^entry: .*a\/long\): node \d+, from which it is derived, does not know it/,
    ],
    [
      "a derived node that is none",
      async () =>
        write(
          workspace.keys.node(await ann.node(OWL)),
          encodeRecord({ ...(await located(OWL)).record, derived: { text: 17 } }),
        ),
      /^node: .*owl\.md\): node 17 is noted as derived from it and is not/,
    ],
    [
      "a derived node without its source",
      () => change("ctx://resources/a/long", { source: nodeId(3999) }),
      /^entry: .*a\/long\): node 3999, from which it is derived, is gone/,
    ],
    [
      "a node missing in memory",
      async () => workspace.table.cut(await ann.node(OWL)),
      /^table: .*resources\/a\): it has \d+ children in memory/,
    ],
    [
      "a node too many in memory",
      async () =>
        workspace.table.put({
          node: nodeId(3000),
          directory: nodeId(2),
          isDirectory: false,
          isHidden: false,
          isCode: false,
          source: NO_NODE,
          generation: 1,
          updatedAt: 0,
        }),
      /^table: node 3000: it is in the table and has no entry/,
    ],
    [
      "a missing version",
      async () => write(workspace.keys.version(await ann.node(OWL), 1), undefined),
      /^version: .*owl\.md\): the record of version 1 is missing/,
    ],
    [
      "a version of nothing",
      async () => write(workspace.keys.version(await ann.node(OWL), 7), encodeRecord([1, 2, 3])),
      /^version: .*owl\.md\): version 7 belongs to nothing/,
    ],
    [
      "a version of no node",
      async () => write(workspace.keys.version(nodeId(3999), 1), encodeRecord([1, 2, 3])),
      /^version: node 3999: version 1 belongs to nothing/,
    ],
    [
      "a version that is not a list",
      async () => write(workspace.keys.version(await ann.node(OWL), 1), encodeRecord({ size: 3 })),
      /^record: record w\/\S+\/y\/\S+: its value is not a valid version$/,
    ],
    [
      "a missing content of a version",
      async () => {
        const generation = JSON.parse(
          Buffer.from(workspace.kv.get(workspace.keys.version(await ann.node(OWL), 1))!).toString(),
        )[0];
        await write(workspace.keys.content(await ann.node(OWL), generation), undefined);
      },
      /^version: .*owl\.md\): the content of version 1 is missing/,
    ],
    [
      "another number of bytes of versions",
      async () => {
        const { first } = (await located(OWL)).entry.history!;
        await change(OWL, { history: { first, bytes: 7 } });
      },
      /^version: .*owl\.md\): its versions have \d+ bytes, its entry says 7/,
    ],
    [
      "a wrong count of versions",
      () => write(workspace.keys.counter("stored"), encodeRecord({ bytes: 1, versions: 2 })),
      /^stored: versions: the account counts 2 bytes of versions, its records have \d+/,
    ],
    [
      "properties of nothing",
      () => write(workspace.keys.properties(nodeId(3999)), encodeRecord([])),
      /^property: node 3999: no such node/,
    ],
    [
      "usage of nothing",
      () => write(workspace.keys.usage(nodeId(3999)), encodeRecord({ activeCount: 1, usedAt: 0 })),
      /^usage: node 3999: no such node/,
    ],
    [
      "another use count",
      async () =>
        write(workspace.keys.usage(await ann.node(OWL)), encodeRecord({ activeCount: 4, usedAt: 0 })),
      /^usage: .*owl\.md\): its use count is 0 in memory and 4/,
    ],
    [
      "a note of no task",
      () => write(workspace.keys.unfinished("ann", "T1"), encodeRecord(null)),
      /^task: task T1: it is noted to be taken up and does not exist/,
    ],
    [
      "a task without its note",
      () =>
        write(
          workspace.keys.task("ann", "T2"),
          encodeRecord({
            id: "T2",
            user: "ann",
            type: "add_resource",
            status: "running",
            stage: "fetching",
            done: 0,
            total: 1,
            created: 0,
            updated: 0,
          }),
        ),
      /^task: task T2: it has not ended and is not noted/,
    ],
    [
      "a reservation of nobody",
      () => write(workspace.keys.reservation("ctx://resources/x"), encodeRecord("id")),
      /^reservation: reservation [0-9a-f]{64}: no task/,
    ],
    [
      "a record of an unknown kind",
      () => write(`${workspace.keys.prefix}Z/1`, encodeRecord({})),
      /^record: record w\/\w+\/Z\/1: no kind of record has such a key/,
    ],
    [
      "a session record of an unknown kind",
      async () => write(`${workspace.keys.sessionRecords(await ann.node(OWL))}z/1`, encodeRecord({})),
      /^session: node \d+ .*: no kind of record has the key w\//,
    ],
  ];

  it("verify reads every kind of record and reports each damaged one", async () => {
    const { keys } = workspace;
    const session = await ann.node("ctx://resources/a");
    const damaged = [
      keys.firstAnswer("ann", "hash"),
      keys.forgetStep("ann", "m", 1),
      keys.forgetStep("ann", "n", 1),
      keys.journal(999_999),
      keys.counter("node"),
      keys.counter("stored"),
      keys.counter("doc-7"),
      keys.checkpoint(),
      keys.relation("o", "u/a", "u/b"),
      keys.episode(session, "digest"),
      keys.pendingUse(session, 1, "place"),
      keys.recalledExtent(session),
      keys.recalledTurn(session, "turn"),
      keys.recalledPart(session, 1),
      keys.tool(session, "name"),
      keys.schedule(session),
      keys.properties(session),
      keys.tags(session),
      keys.usage(session),
      keys.stage(1, 1),
      keys.trashed("ann", session),
      keys.snapshot("ann", "name"),
      keys.keptEntry(session, "name", 1),
      keys.keptNode(session),
      keys.webhook("ann", "id"),
      keys.group("name"),
      keys.grant(session, "e"),
      keys.change(999_999, 999_999),
      keys.version(session, 1),
    ];
    for (const key of damaged) {
      const before = workspace.kv.get(key);
      await write(key, Buffer.from('{"damaged'));
      expect(said(await verify(workspace))).toContainEqual(
        expect.stringContaining(`record ${key}: its value is not a valid`),
      );
      await write(key, before);
    }
  });

  it.each(damages)("verify reports the damage of a workspace with %s", async (_, damage, named) => {
    await damage();
    const findings = said(await house.findings());
    expect(
      findings.some((finding) => named.test(finding)),
      findings.join("\n"),
    ).toBe(true);
  });

  it("verify accepts unreachable nodes only while their purge is pending", async () => {
    await house.worker.stop(1000);
    const node = await ann.node("ctx://resources/a");
    await ann.rm("ctx://resources/a");
    expect(await verify(workspace, new Set([node]))).toEqual([]);
    expect(said(await verify(workspace)).some((finding) => /cannot be reached/.test(finding))).toBe(true);
  });
});
