import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addGroupMember } from "../../src/service/access/add-group-member.ts";
import { createGroup } from "../../src/service/access/create-group.ts";
import { explainAccess } from "../../src/service/access/explain-access.ts";
import { grantAccess } from "../../src/service/access/grant-access.ts";
import { removeGroupMember } from "../../src/service/access/remove-group-member.ts";
import { revokeAccess } from "../../src/service/access/revoke-access.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { glob } from "../../src/service/search/glob.ts";
import { grep } from "../../src/service/search/grep.ts";
import {
  type AccessCase,
  AGENT,
  accessCases,
  FOLDERS,
  type Given,
  GROUPS,
  granteeFields,
  granterOf,
  isShown,
  levelOf,
  RANK,
  readableFolders,
  USERS,
} from "../support/access-model.ts";
import { Actor, codeOf, House } from "../support/tenant.ts";

/** Number of cases; ACCESS_CASES=100000 for the long run. */
const CASES = Number(process.env.ACCESS_CASES ?? 1600);
/** Time limit of the long run, in ms. */
const LIMIT_MS = 3_600_000;
const NAMES = ["none", "read", "write", "admin"];
const fileIn = (folder: string): string => `${folder}/f.md`;

describe("the matrix of access", () => {
  it(
    "the access of every user and agent to every folder is as a simple model predicts",
    async () => {
      const house = await House.open();
      try {
        const matrix = await Matrix.open(house);
        const perRun = matrix.askers.length * FOLDERS.length * OPERATIONS;
        await fc.assert(
          fc.asyncProperty(accessCases, (given) => matrix.check(given)),
          { numRuns: Math.ceil(CASES / perRun), endOnFailure: true },
        );
        expect(matrix.cases).toBeGreaterThanOrEqual(CASES);
      } finally {
        await house.end();
      }
    },
    LIMIT_MS,
  );
});

/** Operations that are called on each folder. */
const OPERATIONS = 10;

class Matrix {
  cases = 0;
  readonly askers: readonly Actor[];
  readonly #house: House;
  readonly #boss: Actor;

  private constructor(house: House) {
    this.#house = house;
    const as = (user: string, role: "admin" | "user", agent = "default") =>
      new Actor(house, { ...house.as(user, "acme", role).caller, agent, keyless: false });
    this.#boss = as("boss", "admin");
    this.askers = [...USERS.map((user) => as(user, "user")), as("bob", "user", AGENT)];
  }

  /** A house with files in all folders, and groups without members. */
  static async open(house: House): Promise<Matrix> {
    const { deps, root } = house;
    await createAccount(deps, root, { accountId: "acme", adminUserId: "boss" });
    for (const userId of USERS) await registerUser(deps, root, { accountId: "acme", userId });
    const matrix = new Matrix(house);
    await matrix.#begin();
    return matrix;
  }

  async #begin(): Promise<void> {
    const { deps } = this.#house;
    for (const groupId of GROUPS) await createGroup(deps, this.#boss.call, { accountId: "acme", groupId });
    for (const folder of FOLDERS) await this.#granter(folder).create(fileIn(folder), "A heron.");
    await this.#house.drain();
  }

  async check(given: AccessCase): Promise<void> {
    await this.#apply(given.grants, given.members);
    for (const asker of this.askers) await this.#ask(asker, given);
    await this.#undo(given.grants, given.members);
  }

  #granter(folder: string): Actor {
    return granterOf(folder) === "boss" ? this.#boss : this.askers[0]!;
  }

  async #apply(grants: readonly Given[], members: AccessCase["members"]): Promise<void> {
    const { deps } = this.#house;
    for (const [groupId, users] of Object.entries(members))
      for (const userId of users)
        await addGroupMember(deps, this.#boss.call, { accountId: "acme", groupId, userId });
    for (const { folder, to, level, isDeny } of grants)
      await grantAccess(deps, this.#granter(folder).call, {
        uri: folder,
        ...granteeFields(to),
        level,
        effect: isDeny ? "deny" : "allow",
      });
  }

  async #undo(grants: readonly Given[], members: AccessCase["members"]): Promise<void> {
    const { deps } = this.#house;
    for (const { folder, to } of grants)
      await revokeAccess(deps, this.#granter(folder).call, { uri: folder, ...granteeFields(to) });
    for (const [groupId, users] of Object.entries(members))
      for (const userId of users)
        await removeGroupMember(deps, this.#boss.call, { accountId: "acme", groupId, userId });
  }

  async #ask(asker: Actor, given: AccessCase): Promise<void> {
    const about = `${asker.caller.user} by ${asker.caller.agent} with ${JSON.stringify(given)}`;
    for (const folder of FOLDERS) await this.#askAt(asker, folder, given, `${about} at ${folder}`);
    const files = readableFolders(given, asker.caller).map(fileIn);
    const same = (found: readonly string[], operation: string) => {
      const all = FOLDERS.map(fileIn);
      this.cases += all.length;
      expect(found.filter((uri) => all.includes(uri)).sort(), `${operation}: ${about}`).toEqual(files.sort());
    };
    const { deps } = this.#house;
    const { call } = asker;
    same(await asker.tree("ctx://"), "tree");
    same((await glob(deps, call, { pattern: "**/f.md" })).matches, "glob");
    const lines = await grep(deps, call, { uri: "ctx://", pattern: "heron", caseInsensitive: false });
    same(
      lines.matches.map(({ uri }) => uri),
      "grep",
    );
    same(await asker.found("heron"), "find");
  }

  /** What a user with a given level can do with a folder and its file. */
  async #askAt(asker: Actor, folder: string, given: AccessCase, about: string): Promise<void> {
    const { deps } = this.#house;
    const level = levelOf(given, asker.caller, folder);
    const isThere = isShown(given, asker.caller, folder);
    const isRead = level >= RANK.read;
    const asked: readonly (readonly [operation: string, attempt: () => Promise<unknown>, code: string])[] = [
      ["read", () => asker.read(fileIn(folder)), isRead ? "OK" : "NOT_FOUND"],
      ["stat", () => asker.stat(folder), isThere ? "OK" : "NOT_FOUND"],
      [
        "write",
        () => asker.create(fileIn(folder), "x"),
        level >= RANK.write ? "ALREADY_EXISTS" : isRead ? "PERMISSION_DENIED" : "NOT_FOUND",
      ],
      [
        "move",
        () => asker.mv(fileIn(folder), fileIn(folder)),
        level >= RANK.write ? "OK" : isRead ? "PERMISSION_DENIED" : "NOT_FOUND",
      ],
      [
        "grant",
        () => revokeAccess(deps, asker.call, { uri: folder, granteeType: "agent", granteeId: "nobody" }),
        level >= RANK.admin ? "OK" : isThere ? "PERMISSION_DENIED" : "NOT_FOUND",
      ],
    ];
    for (const [operation, attempt, code] of asked) {
      this.cases++;
      expect(await codeOf(attempt()), `${operation}: ${about}`).toBe(code);
    }
    this.cases++;
    const told = isThere ? (await explainAccess(deps, asker.call, { uri: folder })).level : "none";
    expect(told, `explain: ${about}`).toBe(isThere && !isRead ? "pass" : NAMES[level]);
  }
}
