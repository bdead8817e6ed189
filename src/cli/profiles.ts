import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isObject } from "../base/expect.ts";
import { codeOf } from "../base/faults.ts";
import { LocalError } from "./cli-errors.ts";

/** Connection profile: address and credentials. */
export interface Profile {
  readonly address: string;
  readonly key?: string;
  readonly agent?: string;
  readonly account?: string;
  readonly user?: string;
}

export interface Profiles {
  /** Name of the default profile. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export type CliEnvironment = Readonly<Record<string, string | undefined>>;

export const DEFAULT_PROFILE = "default";
const NONE: Profiles = { current: DEFAULT_PROFILE, profiles: {} };
const MAX_FILE_CHARACTERS = 1024 * 1024;
const NAME = /^[\w.-]{1,64}$/;

/** `$XDG_CONFIG_HOME/ctxdb/config.json`, by default `~/.config/ctxdb/config.json`. */
export function profilesFile(env: CliEnvironment): string {
  const base = env.XDG_CONFIG_HOME?.startsWith("/") ? env.XDG_CONFIG_HOME : join(env.HOME ?? "/", ".config");
  return join(base, "ctxdb", "config.json");
}

/** Reads the profiles; none if the file does not exist. Throws LocalError if it is malformed. */
export async function readProfiles(file: string): Promise<Profiles> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return NONE;
    throw error;
  }
  const found = text.length <= MAX_FILE_CHARACTERS ? parsed(text) : undefined;
  if (found === undefined)
    throw new LocalError(`${file} is not a valid profile file: fix it, or delete it and run \`ctxdb login\``);
  return found;
}

/** Writes the profiles atomically, readable only by the owner, because they contain keys. */
export async function writeProfiles(file: string, profiles: Profiles): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const aside = `${file}.${process.pid}`;
  await writeFile(aside, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600 });
  await chmod(aside, 0o600);
  await rename(aside, file);
}

export function checkName(name: string): string {
  if (!NAME.test(name))
    throw new LocalError(`invalid profile name "${name}": it must have 1 to 64 letters, digits, _ . or -`);
  return name;
}

function parsed(text: string): Profiles | undefined {
  try {
    const tree: unknown = JSON.parse(text);
    return isProfiles(tree) ? { current: tree.current, profiles: tree.profiles } : undefined;
  } catch {
    return undefined;
  }
}

const isProfiles = (value: unknown): value is Profiles =>
  isObject(value) &&
  typeof value.current === "string" &&
  typeof value.profiles === "object" &&
  value.profiles !== null &&
  Object.values(value.profiles).every(isProfile);

function isProfile(fields: unknown): fields is Profile {
  if (!isObject(fields)) return false;
  const isText = (name: string) => fields[name] === undefined || typeof fields[name] === "string";
  return typeof fields.address === "string" && ["key", "agent", "account", "user"].every(isText);
}
