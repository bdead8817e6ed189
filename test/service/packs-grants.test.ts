import { buffer } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { grantAccess } from "../../src/service/access/grant-access.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { exportPack } from "../../src/service/pack/export-pack.ts";
import { importPack } from "../../src/service/pack/import-pack.ts";
import { emptyTrash } from "../../src/service/trash/empty-trash.ts";
import { SHARING_LIMITS } from "../../src/workspace/access/grants-and-groups.ts";
import { granteeFields } from "../support/access-model.ts";
import { levelStores } from "../support/stores.ts";
import { Actor, codeOf, House } from "../support/tenant.ts";

const BOX = "ctx://user/ann/box";
const FILES = 3;
/** Grants on each file. */
const AGENTS = 150;

it("an import that overwrites files with grants fails if the account would get too many grants", async () => {
  const trash = { items: 100, bytes: 1e9, lifeMs: 1e9 };
  // packs are read from files
  const house = await House.open(await levelStores(), true, [], undefined, undefined, { trash });
  onTestFinished(() => house.end());
  await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ann" });
  await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
  const as = (user: string, role: "admin" | "user") =>
    new Actor(house, { ...house.as(user, "acme", role).caller, keyless: false });
  const [ann, bob] = [as("ann", "admin"), as("bob", "user")];
  const { workspace } = await ann.tenant();
  for (let i = 0; i < FILES; i++) {
    const uri = `${BOX}/${i}.md`;
    await ann.create(uri, "owl");
    await grantAccess(house.deps, ann.call, { uri, ...granteeFields("user:bob"), level: "read" });
    for (let agent = 1; agent < AGENTS; agent++)
      await grantAccess(house.deps, ann.call, { uri, ...granteeFields(`agent:a${agent}`), level: "read" });
  }
  const bytes = await buffer(
    (await exportPack(house.deps, ann.call, { uri: BOX, includeVectors: false })).read(),
  );
  let uploads = 0;
  const again = async () => {
    const tempPath = `upload${uploads++}`;
    const content = (async function* () {
      yield bytes;
    })();
    const { user, userIncarnation } = ann.caller;
    const upload = { incarnation: workspace.incarnation, user, userIncarnation, name: "p.zip" };
    await house.uploads.save(tempPath, upload, content, 1e9);
    return importPack(house.deps, ann.call, {
      tempPath,
      parent: "ctx://user/ann",
      force: true,
      wait: true,
    });
  };
  const codes: string[] = [];
  for (let i = 0; i * FILES * AGENTS < SHARING_LIMITS.grants && !codes.includes("RESOURCE_EXHAUSTED"); i++)
    codes.push(await codeOf(again()));
  expect(codes.at(0)).toBe("OK");
  expect(codes.at(-1)).toBe("RESOURCE_EXHAUSTED");
  expect(workspace.sharing.grantCount).toBeLessThanOrEqual(SHARING_LIMITS.grants);
  await emptyTrash(house.deps, ann.call, { all: true });
  await house.drain();
  await again();
  expect(await bob.read(`${BOX}/1.md`)).toBe("owl");
});
