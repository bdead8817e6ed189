import { EventLoopYielder } from "../../base/event-loop.ts";
import { sortSteps } from "../../base/sort-steps.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { compareNames } from "../../domain/uri.ts";
import { type Direction, relationsOf } from "../../workspace/relations/relations.ts";
import { AnswerLength } from "../answer-length.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { endAt } from "./ends.ts";

export interface RelationView {
  fromUri: string;
  toUri: string;
  /** The same as toUri, for either direction. */
  uri: string;
  reason: string;
  /** ISO 8601, UTC. */
  createdAt: string;
}

const DIRECTIONS: ReadonlyMap<string, readonly Direction[]> = new Map([
  ["out", ["out"]],
  ["in", ["in"]],
  ["both", ["out", "in"]],
]);

const tooMany = (uri: string, found: number) => {
  const reason = `it has more relations than fit into one response (${found} fit): list one direction, or remove some`;
  return new ServiceError("RESOURCE_EXHAUSTED", `${uri}: ${reason}`, { resource: uri, reason });
};

/** GET relations: relations of a URI that the caller may see, sorted by from_uri, then to_uri. */
export async function listRelations(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: { readonly uri: string; readonly direction?: string | undefined },
): Promise<RelationView[]> {
  const directions = DIRECTIONS.get(input.direction ?? "out");
  if (!directions) throw invalidArgument("direction", "must be out, in or both");
  const tenant = await deps.tenants.openOrEmpty(call.caller);
  const { workspace, owner } = tenant;
  const path = endAt(tenant, input.uri);
  const yielder = new EventLoopYielder(workspace.incarnation);
  const found: RelationView[] = [];
  const length = new AnswerLength();
  for (const direction of directions) {
    for await (const { from, to, reason, createdAt } of relationsOf(workspace, owner, path, direction)) {
      call.signal.throwIfAborted();
      await yielder.yieldIfDue();
      const toUri = workspace.uris.format(to);
      length.add(toUri, toUri, reason);
      if (length.isFull) throw tooMany(workspace.uris.format(path), found.length);
      found.push({
        fromUri: workspace.uris.format(from),
        toUri,
        uri: toUri,
        reason,
        createdAt: new Date(createdAt).toISOString(),
      });
    }
  }
  return yielder.through(
    sortSteps(found, (a, b) => compareNames(a.fromUri, b.fromUri) || compareNames(a.toUri, b.toUri)),
  );
}
