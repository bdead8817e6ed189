import { EventLoopYielder } from "../../base/event-loop.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { Path } from "../../domain/uri.ts";
import { link } from "../../workspace/relations/relations.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { endAt, startAt } from "./ends.ts";

const MAX_REASON_BYTES = 4096;
const MAX_TARGETS = 1000;

/** POST relations/link: links a URI to others; an existing link gets the new reason. */
export async function linkNodes(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: { readonly fromUri: string; readonly toUris: readonly string[]; readonly reason: string },
): Promise<object> {
  const { toUris } = input;
  const reason = input.reason.toWellFormed();
  if (toUris.length === 0) throw invalidArgument("to_uri", "to_uri or to_uris is required");
  if (toUris.length > MAX_TARGETS) throw invalidArgument("to_uris", `must have at most ${MAX_TARGETS} URIs`);
  if (Buffer.byteLength(reason) > MAX_REASON_BYTES)
    throw invalidArgument("reason", `must have at most ${MAX_REASON_BYTES} bytes`);
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace, owner } = tenant;
  const from = startAt(tenant, input.fromUri);
  const uri = workspace.uris.format(from);
  const to: Path[] = [];
  const yielder = new EventLoopYielder(workspace.incarnation);
  for (const target of toUris) {
    const path = endAt(tenant, target);
    if (workspace.uris.format(path) === uri)
      throw invalidArgument("to_uri", "must not be the same as from_uri");
    to.push(path);
    await yielder.yieldIfDue();
  }
  const screened = await workspace.secrets.screenFields(call.reply, { reason }, ["reason"], uri);
  await link(workspace, owner, from, to, screened.reason);
  return {};
}
