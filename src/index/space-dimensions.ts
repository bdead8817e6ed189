import { Draft } from "../storage/draft.ts";
import type { Kv } from "../storage/kv.ts";
import { encodeRecord, NUMBERS } from "../storage/records.ts";
import { spaceDimensions } from "./keys.ts";

/**
 * How many components the vectors of a space have, for all workspaces and for good: `found`, where nobody
 * knew until now.
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
