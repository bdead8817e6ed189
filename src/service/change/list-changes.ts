import { invalidArgument } from "../../domain/errors.ts";
import type { ChangeView } from "../change-reader.ts";
import type { ServiceCall } from "../service-call.ts";
import { CallerChanges, type ChangesInput } from "./caller-changes.ts";
import type { ChangeDeps } from "./watch-changes.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
/** Maximum total length of the URIs in a page, in characters; below the response limit of every protocol. */
const MAX_PAGE_LENGTH = 512 * 1024;

/** GET changes/list: a page of the changes after a cursor. */
export async function listChanges(
  deps: Pick<ChangeDeps, "tenants" | "cursors">,
  call: ServiceCall,
  input: ChangesInput & { readonly limit?: number | undefined },
): Promise<{ changes: ChangeView[]; cursor: string; hasMore: boolean }> {
  const limit = input.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  const reader = await CallerChanges.open(deps, call.caller, input, "list");
  const changes: ChangeView[] = [];
  let { cursor } = reader;
  let length = 0;
  for await (const read of reader.read(call.signal)) {
    call.signal.throwIfAborted();
    // read one more, so that has_more reveals nothing about changes hidden from the caller
    if (changes.length === limit || length > MAX_PAGE_LENGTH) return { changes, cursor, hasMore: true };
    changes.push(read.change);
    cursor = read.cursor;
    length += read.change.uri.length + (read.change.previousUri?.length ?? 0);
  }
  return { changes, cursor: reader.cursor, hasMore: false };
}
