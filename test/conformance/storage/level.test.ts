import { join } from "node:path";
import { KvDirectory } from "../../../src/storage/embedded/kv-directory.ts";
import { KvFacts } from "../../../src/storage/embedded/kv-facts.ts";
import { LevelKv } from "../../../src/storage/level/level-kv.ts";
import { soleStores } from "../../../src/storage/open.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { directorySuite } from "./directory.ts";
import { factsSuite } from "./facts.ts";
import { kvSuite } from "./kv.ts";
import { storesSuite } from "./stores.ts";

async function open() {
  const folder = await temporaryFolder();
  const kv = await LevelKv.open(join(folder.path, "kv"), silentLog);
  return { kv, dispose: () => kv.close().then(folder.remove) };
}

kvSuite("LevelDB", open);

storesSuite("LevelDB", async () => {
  const { kv, dispose } = await open();
  return { stores: soleStores(kv), dispose };
});

factsSuite("LevelDB", async () => {
  const { kv, dispose } = await open();
  return { facts: new KvFacts(kv), again: () => new KvFacts(kv), dispose };
});

directorySuite("LevelDB", async () => {
  const { kv, dispose } = await open();
  return { kv, again: () => new KvDirectory(kv), dispose };
});
