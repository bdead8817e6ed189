// Runs clients/scenarios.json through this client: CTXDB_ADDRESS, CTXDB_ROOT_KEY, CTXDB_SCENARIOS, CTXDB_WIRE (grpc, connect or http1).
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import { AddResourceRequestSchema } from "../src/gen/ctxdb/v1/resource_pb.ts";
import { connect as grpc } from "../src/grpc.ts";
import type { NodeClient } from "../src/node/node-client.ts";
import { connect } from "../src/node.ts";
import type { ConnectOptions } from "../src/options.ts";
import { environment } from "./environment.ts";
import { fieldsOf, type Platform } from "./ops.ts";
import { runScenarios } from "./run.ts";
import { patternBytes, type ScenarioList } from "./scenario.ts";

const WIRES: Readonly<Record<string, (address: string, options: ConnectOptions) => NodeClient>> = {
  grpc,
  connect,
  http1: (address, options) => connect(address, { ...options, http: "1.1" }),
};

async function writeFiles(folder: string, files: ScenarioList["files"]): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    if (typeof content === "string") await writeFile(path, content);
    else if ("link" in content) await symlink(content.link, path);
    else await writeFile(path, patternBytes(content.bytes));
  }
}

const localFiles = (folder: string): Platform<NodeClient> => ({
  upload: (client, path, options) => client.resources.uploadPath(join(folder, path), options),
  addPath: (client, path, args, options) =>
    client.resources.addPath(join(folder, path), fieldsOf(AddResourceRequestSchema, args), options),
  async keep(name, bytes) {
    const hash = createHash("sha256");
    const file = name === undefined ? undefined : createWriteStream(join(folder, name));
    let size = 0;
    for await (const piece of bytes) {
      hash.update(piece);
      size += piece.length;
      if (file && !file.write(piece)) await once(file, "drain");
    }
    if (file) await finished(file.end());
    return { size, sha256: hash.digest("hex") };
  },
});

const wire = process.env.CTXDB_WIRE ?? "connect";
const chosen = WIRES[wire];
if (!chosen) throw new Error(`CTXDB_WIRE is ${wire}; it has to be one of ${Object.keys(WIRES).join(", ")}`);
const folder = await mkdtemp(join(tmpdir(), "ctxdb-scenarios-"));
try {
  const given = await environment();
  await writeFiles(folder, given.list.files);
  const run = { ...given, connect: chosen, platform: localFiles(folder), print: console.log };
  process.exitCode = (await runScenarios(run)) > 0 ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}
