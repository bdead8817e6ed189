import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { CliEnvironment, Profile } from "../profiles.ts";

const DIGEST_CHARACTERS = 24;

/** `$XDG_STATE_HOME/ctxdb`, by default `~/.local/state/ctxdb`. */
export function stateFolder(env: CliEnvironment): string {
  const base = env.XDG_STATE_HOME?.startsWith("/")
    ? env.XDG_STATE_HOME
    : join(env.HOME ?? env.USERPROFILE ?? "/", ".local", "state");
  return join(base, "ctxdb");
}

/**
 * State folder of one server and caller, so that records captured for one are never sent to another. Its name
 * is a digest that does not reveal the key.
 */
export function targetFolder(env: CliEnvironment, target: Profile): string {
  const { address, key = "", account = "", user = "" } = target;
  return join(stateFolder(env), "hooks", digest([address, key, account, user].join("\n")));
}

/** A short hash that is safe as a file name. */
export const digest = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, DIGEST_CHARACTERS);

/** Creates a folder that only its owner can read. */
export function ownFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
