import { unavailable } from "../domain/errors.ts";

/** The state for which a change was prepared has changed: prepare it again. Never reaches callers. */
export class Conflict extends Error {
  constructor(what: string) {
    super(`${what} changed meanwhile`);
    this.name = "Conflict";
  }
}

/** Retries of a change after conflicts with concurrent moves and removals. */
const MAX_TRIES = 20;

/** Runs `attempt` again after each conflict. */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      if (tries >= MAX_TRIES) throw unavailable(`${error.message} too often at the same time; try again`);
    }
  }
}
