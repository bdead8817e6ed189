import { expect, it } from "vitest";
import { ACCOUNT_RECORDS, accountKeys } from "../../../src/accounts/account-records.ts";
import { accountId, workspaceId } from "../../../src/domain/ids.ts";
import { AccountSelection } from "../../../src/server/account-selection.ts";
import type { Pair } from "../../../src/storage/backup/packed-records.ts";
import { encodeRecord } from "../../../src/storage/record-codec.ts";

it("restoring one account restores no record of another account", async () => {
  const record = { incarnation: workspaceId(1), createdAt: 1, listed: true, users: 1, admins: 1 };
  const account: Pair = [accountKeys.account(accountId("acme")), encodeRecord(record)];
  expect(ACCOUNT_RECORDS.decode(account[1], account[0]).incarnation).toBe(1);
  const pages = (async function* () {
    yield [account];
  })();
  const selection = (await AccountSelection.find(pages, accountId("acme")))!;
  const kept = (key: string) => selection.record([key, Buffer.from("{}")]) !== undefined;
  expect(kept(accountKeys.keyUses(workspaceId(1), "ann"))).toBe(true);
  expect(kept(accountKeys.keyUses(workspaceId(2), "bob"))).toBe(false);
  // a kind of record that nobody has listed
  expect([kept("zz/0000002/x"), kept("an"), kept("m/cursors"), kept("m/tokens")]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
