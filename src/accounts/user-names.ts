import type { UserIncarnation, WorkspaceId } from "../domain/ids.ts";
import { type KvPages, pairPages, prefixRange } from "../storage/kv.ts";
import { accountKeys as keys, USER_RECORDS } from "./account-records.ts";
import { userIncarnationOf } from "./standing.ts";

/** Limits of a page: a user with 50 keys has a record of some 10 KB. */
const PAGE = { limit: 1000, maxBytes: 1024 * 1024 };

/** Names of the given users of an account, by incarnation. */
export async function userNames(
  kv: KvPages,
  account: WorkspaceId,
  wanted: ReadonlySet<UserIncarnation>,
): Promise<ReadonlyMap<UserIncarnation, string>> {
  const names = new Map<UserIncarnation, string>();
  const prefix = keys.users(account);
  for await (const page of pairPages(kv, { ...prefixRange(prefix), ...PAGE }))
    for (const [key, value] of page) {
      const number = userIncarnationOf(USER_RECORDS.decode(value, key));
      if (!wanted.has(number)) continue;
      names.set(number, key.slice(prefix.length));
      if (names.size === wanted.size) return names;
    }
  return names;
}
