import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHANGE_WIRES, Watcher } from "../support/change-watcher.ts";
import { manyDirectories } from "../support/many-changes.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

const LIMIT_MS = 300_000;
const FOLDER = "ctx://resources/many";
/** Protocols with their own code for streams; the others share that of gRPC. */
const WIRES = CHANGE_WIRES.filter(([name]) => name === "gRPC" || name === "Server-Sent Events");
/** The connection is dropped after this many changes. */
const LOST_AT = [1234, 5000, 8765];

describe("long streams of changes", () => {
  const { calls, changes } = manyDirectories(FOLDER);
  let served: Served;
  beforeAll(async () => {
    served = await serve();
    for (const uri of calls) await served.rest(ROOT_KEY, "POST fs/mkdir", { uri });
  }, LIMIT_MS);
  afterAll(() => served.close());

  it.each(WIRES)(
    "10,000 changes arrive over %s completely and in order through three reconnects",
    async (_, open) => {
      const watch = (more: object) =>
        new Watcher(
          open,
          `http://127.0.0.1:${served.port}`,
          { uri: FOLDER, kinds: ["added"], ...more },
          { "x-api-key": ROOT_KEY },
        );
      let watcher = watch({ begin: "oldest" });
      const seen: string[] = [];
      for (const upTo of [...LOST_AT, changes.length]) {
        seen.push(...(await watcher.changes(upTo - seen.length)));
        await watcher.leave();
        watcher = watch({ cursor: watcher.cursor });
      }
      await watcher.leave();
      expect(seen).toEqual(changes);
    },
    LIMIT_MS,
  );
});
