import type { Message } from "@bufbuild/protobuf";
import type { RunningCall } from "./call.ts";
import { entityTags } from "./headers.ts";
import { textIn } from "./messages.ts";

/** Reads the accepted content hashes and the idempotency key of a request. */
export function readConditions(call: RunningCall, request: Message): void {
  const ifMatch = textIn(request, "ifMatch");
  const idempotencyKey = textIn(request, "idempotencyKey");
  if (ifMatch !== undefined) call.ifMatch = entityTags(ifMatch);
  if (idempotencyKey !== undefined) call.idempotencyKey = idempotencyKey;
}
