import { describe, expect, it } from "vitest";
import { userIncarnation, workspaceId } from "../../../../src/domain/ids.ts";
import type { Path } from "../../../../src/domain/uri.ts";
import {
  type DavLock,
  LOCK_SECONDS,
  LockTable,
  MAX_LOCKS,
  newToken,
  timeoutOf,
} from "../../../../src/transport/dav/lock-table.ts";

const here = { workspace: workspaceId(7), space: "ann" };
const ann = { user: "ann", userIncarnation: userIncarnation(1) };

/** One of as many users as it takes to reach the lock with this number. */
const holderOf = (lock: number) => {
  const user = Math.floor(lock / MAX_LOCKS.perUser);
  return { user: `user${user}`, userIncarnation: userIncarnation(user + 10) };
};

const table = () => {
  const clock = { now: 0 };
  const locks = new LockTable(() => clock.now);
  const take = (path: Path, more: Partial<DavLock> = {}, at = here): DavLock => {
    const lock: DavLock = {
      token: newToken(),
      path,
      isShared: false,
      isDeep: true,
      owner: "",
      holder: ann,
      ...locks.ending(60),
      ...more,
    };
    locks.add(at, lock);
    return lock;
  };
  return { clock, locks, take };
};

describe("the table of locks", () => {
  it("the lock table finds the locks that cover a path, and those below the path", () => {
    const { locks, take } = table();
    const folder = take(["resources", "a"]);
    const shallow = take(["resources", "b"], { isDeep: false });
    const file = take(["resources", "a", "x", "f.md"]);
    expect(locks.covering(here, ["resources", "a", "x", "f.md"])).toEqual([folder, file]);
    expect(locks.covering(here, ["resources", "ab"])).toEqual([]);
    expect(locks.covering(here, ["resources", "b"])).toEqual([shallow]);
    expect(locks.covering(here, ["resources", "b", "y"])).toEqual([]);
    expect(locks.below(here, ["resources", "a"])).toEqual([file]);
    expect(locks.below(here, ["resources"])).toEqual([folder, shallow, file]);
    expect(locks.at(here, ["resources", "a"])).toEqual([folder]);
  });

  it("a WebDAV lock expires unless it is refreshed", () => {
    const { clock, locks, take } = table();
    const lock = take(["resources", "a"]);
    clock.now = 59_000;
    locks.refresh(lock, 100);
    clock.now = 158_000;
    expect(locks.covering(here, ["resources", "a"])).toEqual([lock]);
    clock.now = 159_000;
    expect(locks.covering(here, ["resources", "a"])).toEqual([]);
  });

  it("locks of different accounts and of different users' agent spaces are separate", () => {
    const { locks, take } = table();
    take(["resources", "a"]);
    take(["agent", "coder", "notes"]);
    const elsewhere = { workspace: workspaceId(8), space: "ann" };
    expect(locks.covering(elsewhere, ["resources", "a"])).toEqual([]);
    const bob = { workspace: workspaceId(7), space: "bob" };
    expect(locks.covering(bob, ["resources", "a"])).toHaveLength(1);
    expect(locks.covering(bob, ["agent", "coder", "notes"])).toEqual([]);
    expect(locks.covering(here, ["agent", "coder", "notes"])).toHaveLength(1);
  });

  it("the lock table drops the locks of a deleted account and a removed user", () => {
    const { locks, take } = table();
    take(["resources", "a"]);
    const bobs = take(["resources", "b"], { holder: { user: "bob" } });
    const incarnation = workspaceId(7);
    locks.forget({ what: "key", incarnation, user: "ann" });
    locks.forget({ what: "user", incarnation: workspaceId(8), user: "ann" });
    expect(locks.below(here, ["resources"])).toHaveLength(2);
    locks.forget({ what: "user", incarnation, user: "ann" });
    expect(locks.below(here, ["resources"])).toEqual([bobs]);
    locks.forget({ what: "account", incarnation });
    expect(locks.below(here, ["resources"])).toEqual([]);
  });

  it("removing a folder removes its lock and all locks below it", () => {
    const { locks, take } = table();
    take(["resources", "a"]);
    take(["resources", "a", "b"]);
    const other = take(["resources", "ab"]);
    locks.removeTree(here, ["resources", "a"]);
    expect(locks.below(here, ["resources"])).toEqual([other]);
  });

  it("when an account has too many locks, the user with the most loses one, unless it is the caller", () => {
    const { clock, locks, take } = table();
    const users = 5;
    const holder = (user: number) => ({ user: `user${user}`, userIncarnation: userIncarnation(user + 10) });
    const share = MAX_LOCKS.perAccount / users;
    for (let user = 0; user < users; user++)
      for (let i = 0; i < share; i++) take(["resources", `${user}`, `${i}`], { holder: holder(user) });
    expect(() => take(["resources", "mine"], { holder: holder(0) })).toThrow(/locks of the account/);
    const eves = take(["resources", "new"], { holder: holder(users) });
    expect(locks.below(here, ["resources"])).toHaveLength(MAX_LOCKS.perAccount);
    expect(locks.at(here, ["resources", "new"])).toEqual([eves]);
    const lost = locks.below(here, ["resources", "0"]).length;
    expect(lost).toBe(share - 1);
    clock.now = 61_000;
    take(["resources", "one more"], locks.ending(60));
    expect(locks.below(here, ["resources"])).toHaveLength(1);
  });

  it("when the server has too many locks, the account with the most loses one, except the caller's", () => {
    const { locks, take } = table();
    const account = (number: number) => ({ workspace: workspaceId(number), space: "" });
    const accounts = MAX_LOCKS.total / MAX_LOCKS.perAccount;
    for (let number = 10; number < 10 + accounts; number++)
      for (let i = 0; i < MAX_LOCKS.perAccount; i++)
        take(["resources", `f${i}`], { holder: holderOf(i) }, account(number));
    const first = take(["resources", "x"], {}, account(99));
    expect(locks.below(account(99), ["resources"])).toEqual([first]);
    expect(locks.below(account(10), ["resources"])).toHaveLength(MAX_LOCKS.perAccount - 1);
    expect(() => take(["resources", "y"], { holder: holderOf(0) }, account(11))).toThrow(/the user has 250/);
  });

  it("one user cannot use up the locks of all others in the account", () => {
    const { clock, locks, take } = table();
    for (let i = 0; i < MAX_LOCKS.perUser; i++) take(["resources", `f${i}`]);
    expect(() => take(["resources", "one more"])).toThrow(/the user has 250/);
    take(["resources", "another's"], { holder: holderOf(MAX_LOCKS.perUser) });
    clock.now = 61_000;
    take(["resources", "one more"], locks.ending(60));
  });

  it("shared locks on one resource are limited in number, because every member of a locked folder lists them", () => {
    const { take } = table();
    for (let i = 0; i < MAX_LOCKS.perPlace; i++) take(["resources", "a"], { isShared: true });
    expect(() => take(["resources", "a"], { isShared: true })).toThrow(/the place has 16/);
    take(["resources", "b"], { isShared: true });
  });
});

describe("a Timeout header", () => {
  it.each([
    [undefined, LOCK_SECONDS.usual],
    ["Second-5", 5],
    ["Second-0", 1],
    ["Infinite, Second-4100000000", LOCK_SECONDS.most],
    ["Second-4100000000", LOCK_SECONDS.most],
    ["Extend, Second-30", 30],
    ["nonsense", LOCK_SECONDS.usual],
    [`Second-${"9".repeat(40)}`, LOCK_SECONDS.most],
  ])("the Timeout header %s means %i seconds", (header, seconds) => {
    expect(timeoutOf(header)).toBe(seconds);
  });
});
