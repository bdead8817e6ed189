import { isIPv4 } from "node:net";
import { CLIENT_VARIABLES } from "../base/client-variables.ts";
import { LocalError, UsageError } from "./cli-errors.ts";
import { type CliEnvironment, type Profile, profilesFile, readProfiles } from "./profiles.ts";

export const DEFAULT_ADDRESS = "http://127.0.0.1:1933";

/** Connection options of a command line. */
export interface TargetOptions {
  readonly profile?: string;
  readonly address?: string;
  readonly key?: string;
  readonly agent?: string;
  readonly account?: string;
  readonly user?: string;
}

/** A server with the caller's identity. */
export interface Target extends Profile {
  /** Name of the profile that was used, if any. */
  readonly profile?: string;
}

/**
 * Resolves the target from options, then variables, then the profile. A profile named by an option overrides
 * variables. A stored key is used only for the address it was stored with.
 */
export async function targetOf(options: TargetOptions, env: CliEnvironment): Promise<Target> {
  const variables = fromVariables(env);
  const { name, profile } = await profileOf(
    options.profile ?? (env[CLIENT_VARIABLES.profile] || undefined),
    env,
  );
  const isNamed = options.profile !== undefined;
  const [first, second] = isNamed ? [profile, variables] : [variables, profile];
  const address = normal(options.address ?? first?.address ?? second?.address ?? DEFAULT_ADDRESS);
  const own = profile !== undefined && normal(profile.address) === address ? profile : undefined;
  const order = isNamed ? [options, own, variables] : [options, variables, own];
  const found = (["key", "agent", "account", "user"] as const).flatMap((field) => {
    const value = order.map((source) => source?.[field]).find((one) => one !== undefined);
    return value === undefined ? [] : [[field, value] as const];
  });
  return { address, ...Object.fromEntries(found), ...(own && name !== undefined && { profile: name }) };
}

async function profileOf(
  named: string | undefined,
  env: CliEnvironment,
): Promise<{ readonly name?: string; readonly profile?: Profile }> {
  const { current, profiles } = await readProfiles(profilesFile(env));
  const name = named ?? current;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (named !== undefined && profile === undefined)
    throw new LocalError(`profile not found: ${named}; list profiles with \`ctxdb profile list\``);
  return profile ? { name, profile } : {};
}

function fromVariables(env: CliEnvironment): Partial<Profile> {
  const fields = ["address", "key", "agent", "account", "user"] as const;
  return Object.fromEntries(
    fields.flatMap((field) => (env[CLIENT_VARIABLES[field]] ? [[field, env[CLIENT_VARIABLES[field]]]] : [])),
  );
}

/** Accepted URL paths: a starting server prints the URL of Studio. */
const PATHS: ReadonlySet<string> = new Set(["", "/", "/studio", "/studio/"]);

/** Normalizes an address to `http://host:port`; the protocol is optional. */
export function normal(address: string): string {
  const url = /^https?:\/\//.test(address) ? address : `http://${address}`;
  if (!URL.canParse(url) || !PATHS.has(new URL(url).pathname))
    throw new UsageError(
      `invalid address "${address}": it must be host:port, http://host:port or https://host:port`,
    );
  return new URL(url).origin;
}

/** Whether the server runs on this machine, and may see the same files. */
export function isLocal(address: string): boolean {
  const { hostname } = new URL(address);
  return (
    hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."))
  );
}
