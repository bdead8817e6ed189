import { sha256 } from "../../base/sha256.ts";
import { TASKS, TEXTS } from "../records.ts";
import { FORGET_PLANS, MEMORY_STEPS, MESSAGES_STEPS } from "../requests/forget-plans.ts";
import { isEnded } from "../requests/tasks.ts";
import type { Audit } from "./findings.ts";

/** Verifies tasks, records of unfinished tasks, reservations, and the journal's counter. */
export async function verifyTasks(audit: Audit): Promise<void> {
  const { keys, kv } = audit.workspace;
  const reserved = new Set<string>();
  for await (const [key, value] of audit.records(keys.allTasks())) {
    const task = TASKS.decode(value, key);
    if (isEnded(task)) continue;
    if (kv.get(keys.unfinished(task.user, task.id)) === undefined)
      audit.report("task", `task ${task.id}`, "it has not ended and is not noted to be taken up");
    const root = task.result?.root_uri;
    if (typeof root === "string") reserved.add(keys.reservation(root));
  }
  const notes = keys.allUnfinished();
  for await (const [key] of audit.records(notes)) {
    const [user = "", id = ""] = key.slice(notes.length).split("/");
    const task = TASKS.read(kv, keys.task(user, id));
    if (!task) audit.report("task", `task ${id}`, "it is noted to be taken up and does not exist");
    else if (isEnded(task)) audit.report("task", `task ${id}`, "it is noted to be taken up and has ended");
  }
  for await (const [key, value] of audit.records(keys.allReservations())) {
    if (!reserved.has(key))
      audit.report(
        "reservation",
        `reservation ${key.slice(-sha256("").length)}`,
        `no task that has not ended holds it for ${TEXTS.decode(value, key)}`,
      );
  }
  await verifyForgetPlans(audit);
  const last = await audit.greatest(keys.allJournal());
  if (last !== undefined) audit.checkNumber("journal", last, "journal");
}

/**
 * Verifies that each plan of a forget operation is readable and its task has not ended, so that it will be
 * carried out.
 */
async function verifyForgetPlans(audit: Audit): Promise<void> {
  const { keys, kv } = audit.workspace;
  const plans = keys.allForgetPlans();
  for await (const [key, value] of audit.records(plans)) {
    const [user = "", part = ""] = key.slice(plans.length).split("/");
    if (part !== "r") {
      // steps are stored before their plan, so they may have no plan after a crash
      if (part === "m") MESSAGES_STEPS.decode(value, key);
      else MEMORY_STEPS.decode(value, key);
      continue;
    }
    const { task: id } = FORGET_PLANS.decode(value, key);
    const task = id === undefined ? undefined : TASKS.read(kv, keys.task(user, id));
    if (task && isEnded(task))
      audit.report("task", `task ${task.id}`, "it has ended, and not all that it forgets is removed");
  }
}
