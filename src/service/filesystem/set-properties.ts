import { failedPrecondition, notFound, ServiceError } from "../../domain/errors.ts";
import { checkWritable } from "../../domain/scope.ts";
import type { DeadProperty } from "../../workspace/records.ts";
import { locate } from "../../workspace/tree/locate.ts";
import { propertiesOf, putProperties } from "../../workspace/tree/node-properties.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

/** Maximum number of properties per node, and of their bytes in total. */
export const MAX_PROPERTIES = { count: 64, bytes: 16 * 1024 } as const;

/** Sets a property; removes it if `value` is undefined. */
export type PropertyChange = Omit<DeadProperty, "value"> & { readonly value: string | undefined };

/** Changes client-defined properties of a node; either all changes are made, in order, or none. */
export async function setProperties(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: { readonly uri: string; readonly changes: readonly PropertyChange[] },
): Promise<void> {
  const { workspace, owner } = await deps.tenants.openOrCreate(call.caller);
  const path = workspace.uris.parse(input.uri);
  const uri = workspace.uris.format(path);
  checkWritable(owner, path, uri, "uri");
  return workspace.transact((draft) => {
    const located = locate(draft, workspace.keys, owner, path);
    if (!located || located.entry?.source !== undefined) throw notFound("resource", uri);
    if (!located.entry)
      throw failedPrecondition(uri, "this folder is created by the server and cannot have properties");
    const { node } = located.entry;
    const properties = changed(propertiesOf(draft, draft.keys, node), input.changes);
    checkLimits(uri, properties);
    putProperties(draft, node, properties);
    return () => undefined;
  });
}

function changed(
  before: readonly DeadProperty[],
  changes: readonly PropertyChange[],
): readonly DeadProperty[] {
  const properties = new Map(before.map((one) => [JSON.stringify([one.namespace, one.name]), one]));
  for (const { value, ...one } of changes) {
    const key = JSON.stringify([one.namespace, one.name]);
    if (value === undefined) properties.delete(key);
    else properties.set(key, { ...one, value });
  }
  return [...properties.values()];
}

function checkLimits(uri: string, properties: readonly DeadProperty[]): void {
  const isFew = properties.length <= MAX_PROPERTIES.count;
  // not of any number of them, because this runs at the commit point
  const bytes = isFew ? Buffer.byteLength(JSON.stringify(properties)) : undefined;
  if (bytes !== undefined && bytes <= MAX_PROPERTIES.bytes) return;
  const reason =
    `it would have ${properties.length} properties${bytes === undefined ? "" : ` of ${bytes} bytes`}; ` +
    `at most ${MAX_PROPERTIES.count} of ${MAX_PROPERTIES.bytes} bytes in all are stored`;
  throw new ServiceError("RESOURCE_EXHAUSTED", `${uri}: ${reason}`, { resource: uri, reason });
}
