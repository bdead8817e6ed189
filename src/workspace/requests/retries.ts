import type { Draft } from "../../storage/draft.ts";
import { pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/records.ts";
import { RETRIES, type RetryRecord } from "../records.ts";
import type { Workspace } from "../workspace.ts";

/** Records read and removed in one step. */
const PAGE = 1000;

/** Time in ms for which stored responses are repeated. */
export const RETRY_LIFE_MS = 24 * 3600_000;

/** The stored response of a user under the hash of operation and key, until it expires. */
export function findRetry(workspace: Workspace, user: string, hash: string): RetryRecord | undefined {
  const record = RETRIES.read(workspace.kv, workspace.keys.retry(user, hash));
  return record && record.at + RETRY_LIFE_MS > workspace.clock() ? record : undefined;
}

export const putRetry = (
  draft: Draft,
  workspace: Workspace,
  user: string,
  hash: string,
  record: RetryRecord,
): void => draft.put(workspace.keys.retry(user, hash), encodeRecord(record));

/**
 * Removes expired responses; returns when the next one expires (Unix time in ms), undefined if none remain.
 */
export async function trimRetries(workspace: Workspace): Promise<number | undefined> {
  const now = workspace.clock();
  let next: number | undefined;
  for await (const page of pairPages(workspace.kv, prefixRange(workspace.keys.allRetries(), PAGE))) {
    const ends = page.map(([key, value]) => [key, RETRIES.decode(value, key).at + RETRY_LIFE_MS] as const);
    for (const [, end] of ends) if (end > now && (next === undefined || end < next)) next = end;
    const expired = ends.filter(([, end]) => end <= now);
    if (expired.length > 0) {
      await workspace.commit((draft) => {
        for (const [key] of expired) draft.delete(key);
        return () => undefined;
      });
    }
  }
  return next;
}
