import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../../src/domain/ids.ts";
import type { Holder, Stores } from "../../../src/storage/stores.ts";

/** A holder that records the requests it receives and what the stores answer meanwhile. */
export function notingHolder(stores: () => Stores) {
  const events: string[] = [];
  const failures: Error[] = [];
  const note = (what: string, of: WorkspaceId | "everything") => {
    const isHeld = of !== "everything" && stores().holding(of) !== undefined;
    events.push(`${what} ${of}${isHeld ? ", held" : ""}`);
  };
  const holder: Holder = {
    adopt: async (of) => {
      note("adopt", of);
      const failure = failures.pop();
      if (failure) throw failure;
    },
    resume: async (of) => note("resume", of),
    leave: async (of) => note("leave", of),
    drop: (of) => note("drop", of),
  };
  return { holder, events, failures };
}

/** Requirements for Stores, whoever decides which server owns a workspace. */
export function storesSuite(
  name: string,
  open: () => Promise<{ readonly stores: Stores; readonly dispose: () => Promise<void> }>,
): void {
  describe(`stores of ${name}`, () => {
    let stores: Stores;
    let dispose: () => Promise<void>;
    let noted: ReturnType<typeof notingHolder>;
    let workspace: WorkspaceId;
    beforeEach(async () => {
      ({ stores, dispose } = await open());
      noted = notingHolder(() => stores);
      for (const of of await stores.start(noted.holder)) await noted.holder.resume(of);
      workspace = await stores.directory.newIncarnation();
      noted.events.length = 0;
    });
    afterEach(() => dispose());

    it("a new workspace is held by the server that took its number", async () => {
      expect(stores.holding(workspace)).toBeGreaterThan(0);
      expect(await stores.take(workspace)).toBeUndefined();
      expect(noted.events).toEqual([]);
    });

    it("a workspace is left while held and dropped afterwards, then adopted before it is held again", async () => {
      const before = stores.holding(workspace) ?? 0;
      await stores.give(workspace);
      expect(stores.holding(workspace)).toBeUndefined();
      expect(await stores.take(workspace)).toBeUndefined();
      expect(noted.events).toEqual([
        `leave ${workspace}, held`,
        `drop ${workspace}`,
        `adopt ${workspace}`,
        `resume ${workspace}, held`,
      ]);
      expect(stores.holding(workspace)).toBeGreaterThan(before);
    });

    it("a workspace that many callers request at the same time is adopted once and given up once", async () => {
      await Promise.all([1, 2, 3].map(() => stores.give(workspace)));
      await Promise.all([1, 2, 3].map(() => stores.take(workspace)));
      expect(noted.events.map((event) => event.split(" ")[0])).toEqual(["leave", "drop", "adopt", "resume"]);
    });

    it("a workspace that cannot be adopted is not held, and can be taken later", async () => {
      await stores.give(workspace);
      noted.failures.push(new Error("a damaged record"));
      await expect(stores.take(workspace)).rejects.toThrow("a damaged record");
      expect(stores.holding(workspace)).toBeUndefined();
      expect(noted.events.at(-1)).toBe(`drop ${workspace}`);
      expect(await stores.take(workspace)).toBeUndefined();
      expect(stores.holding(workspace)).toBeDefined();
    });

    it("simultaneous requests to take and give up a workspace end in the state of the last request", async () => {
      const asked = Array.from({ length: 20 }, (_, i) =>
        i % 2 === 0 ? stores.give(workspace) : stores.take(workspace),
      );
      await Promise.all(asked);
      await stores.take(workspace);
      expect(stores.holding(workspace)).toBeDefined();
      await stores.give(workspace);
      expect(stores.holding(workspace)).toBeUndefined();
    });
  });
}
