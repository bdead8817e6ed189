import type { Caller } from "../domain/caller.ts";
import type { ServiceError } from "../domain/errors.ts";

/** Request headers or metadata by lower-case name, independent of the protocol. */
export interface HeaderView {
  get(name: string): string | undefined;
  /** Remote address of the connection, if known. */
  readonly peer?: string | undefined;
  /** Whether another server of the store writes the call's audit entry. */
  readonly isAudited?: boolean;
  /** Error with which the call fails before it is authenticated. */
  readonly refusal?: ServiceError;
  /** Must be called once the request has a valid key, or the server needs none. */
  identified?(caller: Caller): void;
}

/** Identity claimed by a request, not verified; absent members were not sent. */
export interface Identity {
  /** API key; empty if the Authorization header has no readable one (another scheme, or `Bearer` alone). */
  readonly key?: string;
  readonly account?: string;
  readonly user?: string;
  readonly agent?: string;
}

const BEARER = /^bearer(?:\s+(.*))?$/i;

/**
 * Reads the identity headers: X-API-Key overrides Authorization, and an empty one counts as absent; X-Ctx-*
 * overrides X-OpenViking-*.
 */
export function readIdentity(headers: HeaderView): Identity {
  return {
    key: readKey(headers),
    account: named(headers, "account"),
    user: named(headers, "user"),
    agent: named(headers, "agent"),
  };
}

function readKey(headers: HeaderView): string | undefined {
  const direct = headers.get("x-api-key");
  if (direct) return direct;
  const authorization = headers.get("authorization");
  if (!authorization) return undefined;
  return BEARER.exec(authorization.trim())?.[1]?.trim() ?? "";
}

function named(headers: HeaderView, name: string): string | undefined {
  return headers.get(`x-ctx-${name}`) ?? headers.get(`x-openviking-${name}`);
}
