import type { ObserverDeps } from "./component.ts";

/** GET debug/health: whether all components work. */
export const getHealth = (deps: Pick<ObserverDeps, "ready">): { healthy: boolean } => ({
  healthy: Object.values(deps.ready()).every((state) => state === "ok"),
});
