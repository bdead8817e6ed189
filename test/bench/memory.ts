import { setTimeout as pause } from "node:timers/promises";
import type { Bench } from "./harness/figure.ts";
import { megabytes, memoryOf } from "./harness/processes.ts";
import { startServer } from "./harness/server.ts";

const AFTER_MS = 5000;
const LIMIT_MB = 130;

export const memory: Bench = {
  name: "memory",
  title: "proportional set size of the process tree",
  async run() {
    const server = await startServer();
    try {
      await pause(AFTER_MS);
      const used = memoryOf(server.pid);
      return [
        {
          what: "5 s after the ready line",
          measured: megabytes(used),
          expected: `≤ ${LIMIT_MB} MB PSS`,
          met: used.pss <= LIMIT_MB,
        },
      ];
    } finally {
      await server.stop();
    }
  },
};
