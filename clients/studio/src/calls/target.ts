import { identityNow } from "../identity/identity.ts";

/** The server and identity for calls, without the key. */
export interface Target {
  readonly address: string;
  /** Headers that name account, user and agent. */
  readonly names: Readonly<Record<string, string>>;
  /** The same names as client options. */
  readonly options: Readonly<Partial<Record<"account" | "user" | "agent", string>>>;
}

/** The server and identity that Studio currently uses. */
export function targetNow(): Target {
  const { account, user, agent } = identityNow();
  const options = {
    ...(account !== undefined && { account }),
    ...(user !== undefined && { user }),
    ...(agent !== undefined && { agent }),
  };
  const headers: readonly (readonly [string, string | undefined])[] = [
    ["X-Ctx-Account", account],
    ["X-Ctx-User", user],
    ["X-Ctx-Agent", agent],
  ];
  return {
    address: location.origin,
    options,
    names: Object.fromEntries(
      headers.filter((header): header is [string, string] => header[1] !== undefined),
    ),
  };
}
