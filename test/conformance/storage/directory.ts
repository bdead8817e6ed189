import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Registry } from "../../../src/accounts/registry.ts";
import { accountId } from "../../../src/domain/ids.ts";
import type { Directory } from "../../../src/storage/account-directory.ts";
import type { Kv } from "../../../src/storage/kv.ts";

const ACME = accountId("acme");

interface Opened {
  readonly kv: Kv;
  /** Opens the directory as the next process would. */
  readonly again: () => Directory;
  readonly dispose: () => Promise<void>;
}

/** Requirements for every implementation of Directory. */
export function directorySuite(name: string, open: () => Promise<Opened>): void {
  describe(`the directory of ${name}`, () => {
    let opened: Opened;
    let directory: Directory;
    let registry: Registry;
    beforeEach(async () => {
      opened = await open();
      directory = opened.again();
      registry = new Registry(opened.kv, directory, () => 0, false);
    });
    afterEach(() => opened.dispose());

    it("workspace numbers are unique, even with concurrent callers and after a crash", async () => {
      const taken = new Set<number>();
      for (let process = 0; process < 3; process++) {
        const numbers = await Promise.all(Array.from({ length: 100 }, () => directory.newIncarnation()));
        for (const number of numbers) taken.add(number);
        directory = opened.again();
      }
      expect(taken.size).toBe(300);
      expect(Math.min(...taken)).toBe(1);
    });

    it("the directory has an account until its deletion, and a new account of that name gets a new number", async () => {
      expect(await directory.incarnationOf(ACME)).toBeUndefined();
      await registry.createAccount(ACME, "ann");
      const first = await directory.incarnationOf(ACME);
      expect(first).toBe(registry.incarnationOf(ACME)?.incarnation);
      await registry.deleteAccount(ACME);
      expect(await directory.incarnationOf(ACME)).toBeUndefined();
      await registry.createAccount(ACME, "ann");
      expect(await directory.incarnationOf(ACME)).toBeGreaterThan(first ?? 0);
    });

    it("an account whose creation is requested many times at once is created once", async () => {
      const tries = Array.from({ length: 20 }, () =>
        registry.createAccount(ACME, "ann").then(
          () => "created",
          (error: { code?: string }) => error.code,
        ),
      );
      const ended = await Promise.all(tries);
      expect(ended.filter((how) => how === "created")).toHaveLength(1);
      expect(ended.filter((how) => how === "ALREADY_EXISTS")).toHaveLength(19);
      expect(await directory.accounts("", 9)).toHaveLength(1);
    });

    it("accounts are listed in order of their names, page by page", async () => {
      for (const account of ["b", "a", "c", "aa", "Z"])
        await registry.createAccount(accountId(account), "ann");
      const names = async (after: string, limit: number) =>
        (await directory.accounts(after, limit)).map(({ account }) => account);
      expect(await names("", 9)).toEqual(["Z", "a", "aa", "b", "c"]);
      expect(await names("a", 2)).toEqual(["aa", "b"]);
      expect(await names("c", 2)).toEqual([]);
      const numbers = (await directory.accounts("", 9)).map(({ incarnation }) => incarnation);
      expect(await registry.incarnations()).toEqual(numbers);
      expect(numbers).toEqual(
        ["Z", "a", "aa", "b", "c"].map((one) => registry.incarnationOf(accountId(one))?.incarnation),
      );
    });
  });
}
