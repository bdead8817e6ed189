import { identityNow } from "../identity/identity.ts";

/** Where calls go and as whom; the key is not in it. */
export interface Target {
  readonly address: string;
  /** Headers that name account, user and agent. */
  readonly names: Readonly<Record<string, string>>;
  /** The same as options of a client. */
  readonly options: Readonly<Partial<Record<"account" | "user" | "agent", string>>>;
}

/** The server and the names that Studio uses now. */
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
