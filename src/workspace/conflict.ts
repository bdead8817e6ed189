import { unavailable } from "../domain/errors.ts";

/**
 * A change was prepared for a state that has changed since, and must be prepared again. Never reaches
 * callers.
 */
export class Conflict extends Error {
  constructor(what: string) {
    super(`${what} changed meanwhile`);
    this.name = "Conflict";
  }
}

/** Maximum attempts of a change that conflicts with concurrent moves and removals. */
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
