import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    pool: "forks",
    // the default is one less than there are cores: on two cores files would wait for each other
    maxWorkers: Math.max(2, availableParallelism() - 1),
    include: ["test/**/*.test.ts", "clients/typescript/test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
