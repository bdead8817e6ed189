import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { holderOf, migrationsOf } from "../../storage/open.ts";
import { type Check, fault, good } from "./check.ts";

/** Checks that the data directory is writable and not in use. */
export async function checkDataFolder(folder: string): Promise<Check> {
  const name = "data directory";
  const holder = await holderOf(folder).catch(() => undefined);
  if (holder !== undefined) return good(name, `${folder}, in use by process ${holder}`);
  const there = await nearest(folder);
  const isOpen = await access(there, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isOpen)
    return fault(
      name,
      `${there} is not writable`,
      "give this user write permission, or set CTXDB_DATA_DIR to another folder",
    );
  const steps = await migrationsOf(folder).catch(() => []);
  if (steps.length > 0)
    return good(name, `${folder}, of an earlier version: the next start ${steps.join("; ")}`);
  return good(name, there === folder ? folder : `${folder}, will be created`);
}

/** The folder, or its nearest existing ancestor. */
async function nearest(folder: string): Promise<string> {
  let path = folder;
  for (;;) {
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (exists || dirname(path) === path) return path;
    path = dirname(path);
  }
}

/** Whether the port is free; if a server runs on the same data directory, that server may hold it. */
export async function checkPort(host: string, port: number, isRunning: boolean): Promise<Check> {
  const name = "address";
  const shown = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const code = await tryListen(host, port);
  if (code === undefined) return good(name, `${shown} is free`);
  if (code === "EADDRINUSE" && isRunning) return good(name, `${shown}, used by a running server`);
  if (code === "EADDRINUSE")
    return fault(name, `${shown} is used by another program`, "stop it, or set CTXDB_PORT to another port");
  if (code === "EACCES")
    return fault(name, `this user is not allowed to listen on ${shown}`, "set CTXDB_PORT to 1024 or more");
  return fault(name, `cannot listen on ${shown} (${code})`, "set CTXDB_HOST to an address of this machine");
}

function tryListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
