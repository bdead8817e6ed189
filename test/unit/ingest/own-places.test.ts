import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { configFrom } from "../../../src/config/config.ts";
import { workspaceId } from "../../../src/domain/ids.ts";
import { sourcesOf } from "../../../src/ingest/open-source.ts";
import { ramStores, type Stores } from "../../support/stores.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { codeOf, House } from "../../support/tenant.ts";

const OWN = {
  "the configuration file": "etc/own.yaml",
  "a backup": "backups/nightly.tar",
  "the audit log": "logs/audit.log",
  "the key of TLS": "etc/key.pem",
  "the data directory": "data/kv/CURRENT",
};
const EVERYTHING = { ignoreDirs: "", include: "", exclude: "" };
const OPENING = {
  workspace: workspaceId(1),
  signal: new AbortController().signal,
  onFetched: () => undefined,
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stores: Stores;
let house: House;
let sources: ReturnType<typeof sourcesOf>;

beforeEach(async () => {
  folder = await temporaryFolder();
  stores = ramStores();
  house = await House.open(stores);
  for (const name of [...Object.values(OWN), "etc/own.txt"]) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await writeFile(join(folder.path, name), "root_api_key: secret");
  }
  const env = {
    CTXDB_CONFIG: "etc/own.yaml",
    CTXDB_LOCAL_PATHS: ".",
    CTXDB_BACKUP_DIR: "backups",
    CTXDB_AUDIT_LOG: "logs/audit.log",
    CTXDB_TLS_CERT: "etc/cert.pem",
    CTXDB_TLS_KEY: "etc/key.pem",
  };
  const config = configFrom(env, { folder: folder.path, read: () => "log_level: error" });
  const scratch = { folder: async () => ({ path: folder.path, remove: async () => undefined }) };
  sources = sourcesOf({ config, uploads: house.uploads, scratch });
});
afterEach(async () => {
  await house.close();
  await folder.remove();
});

const opened = (name: string) =>
  sources.open({ kind: "path", path: join(folder.path, name) }, EVERYTHING, OPENING);

it.each(Object.entries(OWN))("an import cannot read %s, directly or by a link: %s", async (_, name) => {
  await symlink(join(folder.path, name), join(folder.path, "link.md"));
  for (const path of [name, "link.md"]) expect(await codeOf(opened(path))).toBe("PERMISSION_DENIED");
});

it("an import of the folder around the server's own files leaves them out", async () => {
  const { files, warnings } = await opened("");
  expect(files.map(({ relPath }) => relPath.join("/"))).toEqual(["etc/own.txt"]);
  expect(warnings).toHaveLength(5);
});
