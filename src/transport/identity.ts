import type { Caller } from "../domain/caller.ts";

/** Request headers or metadata by lower-case name; the only view of them below the wires. */
export interface HeaderView {
  get(name: string): string | undefined;
  /** The address the connection came from, where the wire knows it. */
  readonly peer?: string | undefined;
  /** To be called once the request has shown a valid key, or the server needs none. */
  identified?(caller: Caller): void;
}

/** Claimed identity of a request, unchecked; absent members were not sent. */
export interface Identity {
  /**
   * The API key; empty where an Authorization header holds none that can be read (another scheme, `Bearer`
   * alone).
   */
  readonly key?: string;
  readonly account?: string;
  readonly user?: string;
  readonly agent?: string;
}

const BEARER = /^bearer(?:\s+(.*))?$/i;

/** X-API-Key before Authorization, an empty one counts as absent; X-Ctx-* before X-OpenViking-*. */
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
