import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** What measures CPU time runs when the other files have ended: beside them the same work takes half as long again. */
const MEASURED = ["test/e2e/main-thread.test.ts"];

export default defineConfig({
  test: {
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "suites",
          include: ["test/**/*.test.ts", "clients/typescript/test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...MEASURED],
          // the default is one less than there are cores: on two cores files would wait for each other
          maxWorkers: Math.max(2, availableParallelism() - 1),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: "measured", include: MEASURED, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
