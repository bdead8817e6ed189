import { CHANGE_WIRES, Watcher } from "../../support/change-watcher.ts";
import { manyDirectories } from "../../support/many-changes.ts";
import { Api } from "../harness/api.ts";
import { type Figure, perSecond } from "../harness/figure.ts";
import { startServer } from "../harness/server.ts";

const FOLDER = "ctx://resources/many";
/** Shares of the changes after which the connection is dropped. */
const LOST_AT = [0.12, 0.5, 0.88];

/** Whether a stream that is read while the changes are made has all of them, in order, over three reconnects. */
export async function stream(quick: boolean): Promise<Figure[]> {
  const { calls, changes } = manyDirectories(FOLDER);
  const asked = quick ? calls.slice(0, 10) : calls;
  const expected = quick ? changes.slice(0, 501) : changes;
  const server = await startServer();
  const figures: Figure[] = [];
  try {
    for (const [name, open] of CHANGE_WIRES) {
      const account = { "x-ctx-account": name.replace(/\W+/g, "-").toLowerCase() };
      const watch = (more: object) =>
        new Watcher(
          open,
          `http://127.0.0.1:${server.port}`,
          { uri: FOLDER, kinds: ["added"], ...more },
          account,
        );
      const api = await Api.open(server.port, 1, account);
      const began = performance.now();
      const made = (async () => {
        for (const uri of asked) await api.post("/api/v1/fs/mkdir", { uri });
      })();
      let watcher = watch({ begin: "oldest" });
      const seen: string[] = [];
      for (const share of [...LOST_AT, 1]) {
        seen.push(...(await watcher.changes(Math.round(share * expected.length) - seen.length)));
        await watcher.leave();
        watcher = watch({ cursor: watcher.cursor });
      }
      const rate = expected.length / ((performance.now() - began) / 1000);
      await made;
      await watcher.leave();
      api.close();
      const right = seen.filter((line, at) => line === expected[at]).length;
      const isWhole = right === expected.length && seen.length === expected.length;
      figures.push({
        what: `changes over ${name}, ${LOST_AT.length} reconnects`,
        measured: `${right.toLocaleString("en-US")} of ${expected.length.toLocaleString("en-US")} in order, ${perSecond(rate)}`,
        expected: "all, in order",
        met: isWhole,
      });
    }
    return figures;
  } finally {
    await server.stop();
  }
}
