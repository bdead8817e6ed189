import { nodeOfKey } from "../keys.ts";
import { SCHEDULES } from "../schedules/records.ts";
import type { Audit } from "./findings.ts";

/** Verifies that each refresh schedule belongs to a node that exists. */
export async function verifySchedules(audit: Audit): Promise<void> {
  for await (const [key, value] of audit.records(audit.workspace.keys.allSchedules())) {
    const node = nodeOfKey(key);
    SCHEDULES.decode(value, key);
    if (audit.placeOf(node) === "lost") audit.report("schedule", node, "no such node");
  }
}
