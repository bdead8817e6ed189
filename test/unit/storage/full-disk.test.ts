import { expect, it } from "vitest";
import { openStorage } from "../../../src/storage/open.ts";
import { startChild } from "../../support/child.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it("a write to a full disk is refused without a trace, and reads and later writes succeed", async () => {
  const folder = await temporaryFolder();
  const child = startChild("full-disk-child.ts", [folder.path], 'ulimit -f 6000; exec "$@"');
  const lines = (await child.said((output) => output.includes("done"))).split("\n");
  await child.kill();
  const acknowledged = lines.filter((line) => line.startsWith("ok ")).map((line) => line.slice(3));
  const refused = lines.filter((line) => line.startsWith("refused "));
  expect(refused).toEqual([expect.stringMatching(/^refused \d{6} UNAVAILABLE nothing$/)]);
  expect(acknowledged.at(-1)! > refused[0]!.split(" ")[1]!).toBe(true);
  const storage = await openStorage({ dataDir: folder.path, log: silentLog, clock: Date.now });
  expect(await storage.kv.keys({ gte: "", lt: "~", limit: 100_000 })).toEqual(acknowledged);
  await storage.close();
  await folder.remove();
});
