import type { Worker } from "../jobs/worker.ts";
import type { InstantEmbedder } from "../providers/embedding.ts";
import type { Kv } from "../storage/kv.ts";

/** What /ready tells of the parts that a request needs: `ok`, or that the part does not work (why is in the log of whoever fails by it). */
export function readiness({ kv, embedder, worker }: { kv: Kv; embedder: InstantEmbedder; worker: Worker }): Record<string, string> {
  return {
    storage: works(() => void kv.get("ready")),
    vectors: works(() => void embedder.embedNow("ready")),
    queue: worker.isRunning ? "ok" : "stopped",
  };
}

function works(attempt: () => void): string {
  try {
    attempt();
    return "ok";
  } catch {
    return "failed";
  }
}
