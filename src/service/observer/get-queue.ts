import { itemAt } from "../../base/expect.ts";
import type { QueueName } from "../../domain/job.ts";
import type { ServiceCall } from "../service-call.ts";
import { type ComponentStatus, type ObserverDeps, seesServer, table } from "./component.ts";

const HEADER = ["Queue", "Pending", "In Progress", "Processed", "Errors", "Total"];
const ROWS: readonly (readonly [label: string, queue: QueueName])[] = [
  ["Embedding", "embedding"],
  ["Semantic", "semantic"],
];

/** GET observer/queue: jobs by state since the start. */
export async function getQueue(deps: ObserverDeps, call: ServiceCall): Promise<ComponentStatus> {
  const { drain } = deps.queue;
  const { incarnation } = (await deps.tenants.openOrEmpty(call.caller)).workspace;
  const rows = ROWS.map(([label, queue]) => {
    const { pending, inProgress, processed, errors } = seesServer(call)
      ? drain.total(queue)
      : drain.counts(queue, incarnation);
    return {
      label,
      counts: [pending, inProgress, processed, errors, pending + inProgress + processed + errors],
    };
  });
  const total = HEADER.slice(1).map((_, column) =>
    rows.reduce((sum, { counts }) => sum + itemAt(counts, column), 0),
  );
  return {
    name: "queue",
    isHealthy: deps.ready().queue === "ok",
    hasErrors: itemAt(total, 3) > 0,
    status: table(HEADER, ...rows.map(({ label, counts }) => [label, ...counts]), ["TOTAL", ...total]),
  };
}
