import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Default: one less than there are cores. On two cores, test files would then wait for each other. */
const WORKERS = Math.max(2, availableParallelism() - 1);
/** Tests that measure the memory of their process, or the time of its threads, need one of their own. */
const ALONE = [
  "test/unit/service/pattern-workers.test.ts",
  "test/unit/service/tenants.test.ts",
  "test/service/gateway-upstream.test.ts",
  "test/service/hostile-fields.test.ts",
  "test/service/large-reads.test.ts",
];

export default defineConfig({
  test: {
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // TEST_CLUSTER=1: tests run over PostgreSQL and an object store, see test/support/shared-database.ts
    globalSetup: process.env.TEST_CLUSTER ? ["test/support/cluster-setup.ts"] : [],
    projects: [
      {
        extends: true,
        test: {
          name: "units",
          include: ["test/unit/**/*.test.ts", "test/spec/**/*.test.ts", "test/golden/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...ALONE],
          // files share a process: loading the modules anew for each takes longer than their tests
          isolate: false,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "suites",
          include: ["test/!(unit|spec|golden)/**/*.test.ts", "clients/typescript/test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...ALONE],
          isolate: false,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: "alone", include: ALONE, maxWorkers: WORKERS, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
