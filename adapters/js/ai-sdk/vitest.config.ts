import { defineConfig } from "vitest/config";

/** Long enough for a machine that is busy with other work. */
const TIMEOUT_MS = 120_000;

export default defineConfig({
  test: { include: ["test/**/*.test.ts"], testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS },
});
