import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWebhook } from "../../src/service/webhook/create-webhook.ts";
import { deleteWebhook } from "../../src/service/webhook/delete-webhook.ts";
import { encodeRecord } from "../../src/storage/record-codec.ts";
import { readWebhook } from "../../src/workspace/webhooks/webhooks.ts";
import { House } from "../support/tenant.ts";

describe("the records of webhooks", () => {
  let house: House;
  beforeEach(async () => {
    house = await House.open();
  });
  afterEach(() => house.end());

  const create = async () => {
    const asked = { url: "http://127.0.0.1:9/", kinds: [], description: "" };
    const { webhook } = await createWebhook(house.deps.webhookDeps, house.as("ann").call, asked);
    const workspace = await house.workspaceOf();
    return { workspace, ref: { workspace: workspace.incarnation, user: "ann", id: webhook.webhookId } };
  };

  it("verify reports a webhook that is ahead of the log, one without progress, and progress without a webhook", async () => {
    const { workspace, ref } = await create();
    const { kv, keys } = workspace;
    const put = (key: string, value: Uint8Array | undefined) =>
      kv.transact(() => ({
        ops: [value === undefined ? { key, value } : { key, value }],
        apply: () => undefined,
      }));
    const faults = async () => (await house.findings()).map(({ kind, fault }) => [kind, fault]);
    const stored = readWebhook(kv, ref);
    const [record, progress] = [keys.webhook("ann", ref.id), keys.webhookProgress("ann", ref.id)];
    await put(progress, encodeRecord({ ...stored?.progress, next: 99 }));
    expect(await faults()).toEqual([["webhook", "it has sent changes up to 99, which are not in the log"]]);
    await put(progress, undefined);
    expect(await faults()).toEqual([["webhook", "it has no progress"]]);
    await put(progress, encodeRecord(stored?.progress));
    await put(record, undefined);
    expect(await faults()).toEqual([["webhook", "it is the progress of a webhook that does not exist"]]);
    await put(record, encodeRecord(stored?.record));
  });

  it("a deleted webhook leaves no record", async () => {
    const { ref, workspace } = await create();
    await deleteWebhook(house.deps.webhookDeps, house.as("ann").call, { webhookId: ref.id });
    expect(await house.keys(workspace.keys.allWebhooks())).toEqual([]);
  });
});
