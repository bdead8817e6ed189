import { Draft } from "../storage/draft.ts";
import type { Kv } from "../storage/kv.ts";
import { encodeRecord, NUMBERS } from "../storage/records.ts";
import { spaceDimensions } from "./keys.ts";

/**
 * The dimensions of a space, permanent and for all workspaces; sets them to `found` if they are not known
 * yet.
 */
export function settleDimensions(kv: Kv, space: string, found: number): Promise<number> {
  const key = spaceDimensions(space);
  return kv.transact((read) => {
    const draft = new Draft(read);
    const known = NUMBERS.read(draft, key);
    if (known === undefined) draft.put(key, encodeRecord(found));
    return draft.finish(() => known ?? found);
  });
}
