import type { ObserverDeps } from "./component.ts";

/** GET debug/health: whether every component works. */
export const getHealth = (deps: Pick<ObserverDeps, "ready">): { healthy: boolean } => ({
  healthy: Object.values(deps.ready()).every((state) => state === "ok"),
});
