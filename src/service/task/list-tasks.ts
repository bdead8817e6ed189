import { invalidArgument } from "../../domain/errors.ts";
import { hasTasksBefore, listTasks } from "../../workspace/requests/tasks.ts";
import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import type { TaskFollower } from "../task-follower.ts";
import type { Tenants } from "../tenants.ts";
import { type TaskView, taskView } from "./task-view.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** GET tasks: the caller's own tasks, newest first. */
export async function listOwnTasks(
  deps: { tenants: Tenants; follower: TaskFollower; cursors: Cursors },
  call: ServiceCall,
  input: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
): Promise<{ tasks: TaskView[]; nextCursor?: string }> {
  const limit = input.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  const { workspace } = await deps.tenants.openOrEmpty(call.caller);
  const list = { operation: "tasks", caller: call.caller, incarnation: workspace.incarnation, args: [] };
  const before = deps.cursors.open(list, input.cursor);
  const shown = await listTasks(workspace, call.caller.user, limit, before);
  const tasks = shown.map((task) => taskView(deps.follower.withProgress(task)));
  const last = shown.at(-1);
  if (!last || !(await hasTasksBefore(workspace, call.caller.user, last.id))) return { tasks };
  return { tasks, nextCursor: deps.cursors.seal(list, last.id) };
}
