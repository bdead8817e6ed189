import type { Worker } from "../jobs/worker.ts";
import type { InstantEmbedder } from "../providers/embedding.ts";
import type { Kv } from "../storage/kv.ts";

interface ReadinessDeps {
  readonly kv: Kv;
  readonly embedder: InstantEmbedder;
  readonly worker: Worker;
}

/** Status of each component for `/ready`: "ok", "failed" or "stopped". */
export function readiness({ kv, embedder, worker }: ReadinessDeps): Record<string, string> {
  const attempt = (use: () => void): string => {
    try {
      use();
      return "ok";
    } catch {
      return "failed";
    }
  };
  return {
    storage: attempt(() => void kv.get("ready")),
    vectors: attempt(() => void embedder.embedNow("ready")),
    queue: worker.isRunning ? "ok" : "stopped",
  };
}
