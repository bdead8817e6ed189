import type { Draft } from "../../storage/draft.ts";
import { keyPages, pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { FIRST_ANSWERS, type FirstAnswerRecord } from "../records.ts";
import type { Workspace } from "../workspace.ts";

/** Number of records read and removed per step. */
const PAGE = 1000;
/** Maximum bytes of records per step: an answer about 200 long URIs has 1 MB. */
const PAGE_BYTES = 1024 * 1024;

/** Lifetime of first answers in ms. */
export const FIRST_ANSWER_LIFE_MS = 24 * 3600_000;

/** A first answer to store later, possibly in another process. */
export interface LaterAnswer {
  /** Hash of operation and key. */
  readonly hash: string;
  readonly record: FirstAnswerRecord;
}

/** The first answer of a user for the hash of operation and key, unless it has expired. */
export function findFirstAnswer(
  workspace: Workspace,
  user: string,
  hash: string,
): FirstAnswerRecord | undefined {
  const record = FIRST_ANSWERS.read(workspace.kv, workspace.keys.firstAnswer(user, hash));
  return record && record.at + FIRST_ANSWER_LIFE_MS > workspace.clock() ? record : undefined;
}

export const putFirstAnswer = (
  draft: Draft,
  workspace: Workspace,
  user: string,
  hash: string,
  record: FirstAnswerRecord,
): void => draft.put(workspace.keys.firstAnswer(user, hash), encodeRecord(record));

/**
 * Removes the first answers of a user in steps, because there may be more than fit into the transaction that
 * removes the user. First answers stored meanwhile remain.
 */
export async function dropFirstAnswers(workspace: Workspace, user: string): Promise<void> {
  for await (const page of keyPages(workspace.kv, prefixRange(workspace.keys.firstAnswers(user), PAGE)))
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      for (const key of page) draft.delete(key);
      return () => undefined;
    });
}

/**
 * Removes expired first answers; returns when the next one expires (Unix time in ms), undefined if none
 * remain.
 */
export async function trimFirstAnswers(workspace: Workspace): Promise<number | undefined> {
  const now = workspace.clock();
  let next: number | undefined;
  const range = { ...prefixRange(workspace.keys.allFirstAnswers(), PAGE), maxBytes: PAGE_BYTES };
  for await (const page of pairPages(workspace.kv, range)) {
    const ends = page.map(
      ([key, value]) => [key, FIRST_ANSWERS.decode(value, key).at + FIRST_ANSWER_LIFE_MS] as const,
    );
    for (const [, end] of ends) if (end > now && (next === undefined || end < next)) next = end;
    const expired = ends.filter(([, end]) => end <= now);
    if (expired.length > 0) {
      await workspace.transact((draft) => {
        for (const [key] of expired) draft.delete(key);
        return () => undefined;
      });
    }
  }
  return next;
}
