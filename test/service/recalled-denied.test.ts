import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { grantAccess } from "../../src/service/access/grant-access.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { recall } from "../../src/service/search/recall.ts";
import { recalledTurns } from "../../src/service/search/recalled-turns.ts";
import { createOwnSession } from "../../src/service/session/create-session.ts";
import { granteeFields } from "../support/access-model.ts";
import { levelStores } from "../support/stores.ts";
import { Actor, House } from "../support/tenant.ts";

const TEAM = "ctx://resources/team";
const SESSION = "talk";

describe("the recalled block of a session", () => {
  let house: House;
  let admin: Actor;
  let bob: Actor;

  beforeEach(async () => {
    house = await House.open(await levelStores());
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "boss" });
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
    const as = (user: string, role: "admin" | "user") =>
      new Actor(house, { ...house.as(user, "acme", role).caller, keyless: false });
    [admin, bob] = [as("boss", "admin"), as("bob", "user")];
    await admin.create(`${TEAM}/open.md`, "# Owls\n\nThe owl sleeps by day.");
    await admin.create(`${TEAM}/closed.md`, "# Budget\n\nThe marmoset budget is nine million.");
    await admin.create(`${TEAM}/third.md`, "# Giraffe\n\nThe giraffe eats leaves.");
    await house.drain();
    await createOwnSession(house.deps, bob.call, { sessionId: SESSION });
  });
  afterEach(() => house.end());

  const recalled = (query: string) => {
    const named = { name: query, known: [], keep: () => undefined };
    const asked = { query, sessionId: SESSION, targetUris: [] };
    return recall(house.deps, bob.call, asked, named);
  };
  const blockOf = async (turn: string) =>
    (await recalledTurns(house.deps, bob.call, { sessionId: SESSION, turns: [turn] })).blocks.get(turn) ?? "";

  it("a folder's overview is not repeated once something in the folder is denied", async () => {
    const query = "owl marmoset giraffe";
    const first = await recalled(query);
    expect(first.parts.map(({ uri }) => uri)).toContain(`${TEAM}/.overview.md`);
    expect(await blockOf(query)).toContain("marmoset");
    const about = { uri: `${TEAM}/closed.md`, ...granteeFields("user:bob"), level: "read", effect: "deny" };
    await grantAccess(house.deps, admin.call, about);
    expect(await blockOf(query)).not.toContain("marmoset");
    expect((await recalled(query)).text).not.toContain("marmoset");
    expect((await recalled("when does the owl sleep")).text).not.toContain("marmoset");
  });

  it("a folder's overview is repeated while everything in the folder may be read", async () => {
    const query = "owl marmoset giraffe";
    await recalled(query);
    expect(await blockOf(query)).toContain(`${TEAM}/.overview.md`);
  });
});
