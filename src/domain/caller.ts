import { invalidArgument } from "./errors.ts";
import type { UserIncarnation, WorkspaceId } from "./ids.ts";

export type Role = "root" | "admin" | "user";

/** Authenticated caller: all that operations know of it. */
export interface Caller {
  readonly role: Role;
  readonly account: string;
  readonly user: string;
  /**
   * Which account of this name: names are free again after a deletion. Missing where the account is not made
   * yet.
   */
  readonly accountIncarnation?: WorkspaceId;
  /**
   * Which user of this name: a number that the account gives with each registration. Missing where none is
   * registered, and 0 for those of earlier versions.
   */
  readonly userIncarnation?: UserIncarnation;
  /** Number of keys replaced before this one; missing without a user key. */
  readonly keyVersion?: number;
  /** The agent identity of the request (X-Ctx-Agent), `default` where none was sent. */
  readonly agent: string;
  /**
   * True where the request named its account: ROOT without it sees the whole server in observers and waits.
   */
  readonly accountNamed: boolean;
  /** True where no key is configured: accounts and users spring into being at first write. */
  readonly keyless: boolean;
}

const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$/;

export const isIdentifier = (value: string): boolean => IDENTIFIER.test(value);

/** The identifier rule for accounts, users, agents and sessions; `field` names the offender in the error. */
export function checkIdentifier(field: string, value: string): string {
  if (!isIdentifier(value)) {
    throw invalidArgument(field, "must be 1 to 64 of A-Z a-z 0-9 _ . @ - and start with a letter or digit");
  }
  return value;
}

/** Agents live beside the scope `agent/skills`, so none may take its name. */
export function checkAgent(field: string, value: string): string {
  if (value === "skills") throw invalidArgument(field, "an agent cannot be called skills");
  return checkIdentifier(field, value);
}
