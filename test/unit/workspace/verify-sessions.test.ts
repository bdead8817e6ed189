import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type NodeId, nodeId } from "../../../src/domain/node.ts";
import { encodeRecord } from "../../../src/storage/record-codec.ts";
import { ARCHIVES, SESSION_RECORDS } from "../../../src/workspace/sessions/records.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { STORES } from "../../support/stores.ts";
import { Talk } from "../../support/talk.ts";
import { House } from "../../support/tenant.ts";

describe.each(STORES)("verify of sessions over %s", (_, stores) => {
  let house: House;
  let workspace: Workspace;
  let session: NodeId;
  let talk: Talk;
  beforeEach(async () => {
    house = await House.open(await stores());
    talk = await Talk.begin(house.as("ann"), "chat");
    for (const round of ["one", "two"]) {
      await talk.say(`${round} said`);
      await talk.send({ type: "tool", toolId: round });
      await talk.commit();
    }
    await talk.say("three");
    await house.drain();
    workspace = await house.workspaceOf();
    session = await talk.actor.node(talk.uri);
    await house.expectSound();
  });
  afterEach(() => house.close());

  const write = (key: string, value: Uint8Array | undefined) =>
    house.stores.kv.transact(() => ({
      ops: [value === undefined ? { key, value } : { key, value }],
      apply: () => undefined,
    }));
  const faults = async () => (await house.findings()).map(({ subject, fault }) => `${subject}: ${fault}`);
  const named = () => `node ${session} (ctx://session/ann/chat)`;

  it("verify reports a missing message in an archive and in the buffer", async () => {
    await write(workspace.keys.message(session, 2, 3), undefined);
    await write(workspace.keys.message(session, 3, 5), undefined);
    const found = await faults();
    expect(found).toContain(`${named()}: message 3 of archive_002 is missing`);
    expect(found).toContain(`${named()}: message 5 of archive_003 is missing`);
  });

  it("verify reports a surplus message, in an archive and of a missing session", async () => {
    const line = workspace.kv.get(workspace.keys.message(session, 1, 1))!;
    await write(workspace.keys.message(session, 1, 9), line);
    await write(workspace.keys.message(session, 7, 1), line);
    await write(workspace.keys.message(nodeId(999_999), 1, 1), line);
    const found = await faults();
    expect(found).toContain(`${named()}: message 9 of archive_001 is not one of those that its record names`);
    expect(found).toContain(`${named()}: message 1 of archive_007 belongs to no archive`);
    expect(found).toContain("node 999999: message 1 of archive_001 belongs to no archive");
  });

  it("verify reports session counts, archives, layers and tool records that disagree", async () => {
    const { keys } = workspace;
    const record = SESSION_RECORDS.read(workspace.kv, keys.session(session))!;
    await write(
      keys.session(session),
      encodeRecord({ ...record, tools: 3, buffer: { ...record.buffer, bytes: 1 } }),
    );
    const archive = ARCHIVES.read(workspace.kv, keys.archive(session, 1))!;
    await write(keys.archive(session, 1), encodeRecord({ ...archive, turns: 2 }));
    await write(keys.archiveLayer(session, 2, 0), undefined);
    await write(
      keys.tool(session, "one.json"),
      encodeRecord({ archive: 1, sequence: 1, part: 0, size: 1, created: 0, modified: 0 }),
    );
    await write(keys.ownId(nodeId(999_999), "x"), encodeRecord(null));
    const found = await faults();
    for (const fault of [
      `${named()}: it counts 3 tool records and has 2`,
      `${named()}: the messages of archive_003 have ${record.buffer.bytes} bytes, its record says 1`,
      `${named()}: 1 messages of archive_001 are the user's, its record says 2`,
      `${named()}: archive_002 has 1 layers, which is not what its record says`,
      `${named()}: the tool record one.json names message 1, which has no such part`,
      "node 999999: its record i belongs to no session",
    ])
      expect(found).toContain(fault);
    await write(keys.archive(session, 1), undefined);
    expect(await faults()).toContain(`${named()}: archive_001 is missing`);
  });
});
