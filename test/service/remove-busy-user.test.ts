import { afterEach, expect, it } from "vitest";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { removeUser } from "../../src/service/account/remove-user.ts";
import { prefixRange } from "../../src/storage/kv.ts";
import { putFirstAnswer } from "../../src/workspace/requests/first-answers.ts";
import { House } from "../support/tenant.ts";

const ANSWERS = 50_000;
const AT_ONCE = 5000;

let house: House;
afterEach(() => house.end());

it("removing a user removes any number of the user's idempotency records", async () => {
  house = await House.open();
  await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ann" });
  await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob", role: "user" });
  const bob = house.as("bob", "acme", "user");
  await bob.create("ctx://user/bob/note.md", "A note.\n");
  const { workspace } = await bob.tenant();
  const record = { bodyHash: "b", message: "", at: workspace.clock() };
  for (let at = 0; at < ANSWERS; at += AT_ONCE)
    await workspace.transact(
      (draft) => {
        for (let i = at; i < at + AT_ONCE; i++)
          putFirstAnswer(draft, workspace, "bob", i.toString(16).padStart(64, "0"), record);
        return () => undefined;
      },
      { maxBytes: Number.POSITIVE_INFINITY },
    );
  await removeUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
  expect(await house.stores.kv.keys(prefixRange(workspace.keys.firstAnswers("bob"), 1))).toEqual([]);
});
