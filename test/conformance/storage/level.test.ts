import { join } from "node:path";
import { LevelKv } from "../../../src/storage/level/level-kv.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { kvSuite } from "./kv.ts";

kvSuite("LevelDB", async () => {
  const folder = await temporaryFolder();
  const kv = await LevelKv.open(join(folder.path, "kv"), silentLog);
  return { kv, dispose: () => kv.close().then(folder.remove) };
});
