import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ServiceError } from "../../../src/domain/errors.ts";
import { fetchRepository } from "../../../src/ingest/fetch/git.ts";
import { AddressGuard } from "../../../src/ingest/fetch/guard.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { serveWeb } from "../../support/web-server.ts";

/** Returns processes whose command line contains a text. */
function processesOf(text: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

it.each(["git fetch", "git remote-http"])(
  "a git process killed from outside is not reported as a fault of the repository: %s",
  async (which) => {
    const web = await serveWeb();
    const folder = await temporaryFolder();
    const name = `killed-${process.pid}-${which.at(-1)}.git`;
    web.pages.set(`/${name}/info/refs`, () => {
      const found = processesOf(name).filter(
        (pid) =>
          readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("remote-http") === (which !== "git fetch"),
      );
      for (const pid of found) process.kill(pid, "SIGKILL");
    });
    const fetching = fetchRepository({ kind: "git", url: `${web.base}/${name}` }, folder, {
      guard: new AddressGuard(true),
      maxBytes: 1e6,
      signal: new AbortController().signal,
      onFetched: () => undefined,
      onArchived: () => undefined,
    });
    const error = await fetching.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(ServiceError);
    await web.close();
    await folder.remove();
  },
);
