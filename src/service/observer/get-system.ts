import type { ServiceCall } from "../service-call.ts";
import type { ComponentStatus, ObserverDeps } from "./component.ts";
import { getQueue } from "./get-queue.ts";
import { getVectordb } from "./get-vectordb.ts";
import { getVlm } from "./get-vlm.ts";

export interface SystemHealth {
  isHealthy: boolean;
  /** Problems, one sentence each. */
  errors: string[];
  components: { queue: ComponentStatus; vectordb: ComponentStatus; vlm: ComponentStatus };
}

/** GET observer/system: all components, and why the server is not ready. */
export async function getSystem(deps: ObserverDeps, call: ServiceCall): Promise<SystemHealth> {
  const components = {
    queue: await getQueue(deps, call),
    vectordb: await getVectordb(deps, call),
    vlm: await getVlm(deps, call),
  };
  const errors = Object.entries(deps.ready()).flatMap(([part, state]) =>
    state === "ok" ? [] : [`The component ${part} does not work: ${state}.`],
  );
  return { isHealthy: errors.length === 0, errors, components };
}
