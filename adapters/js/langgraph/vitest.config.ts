import { defineConfig } from "vitest/config";

/** Long enough for a machine that is busy with other work. */
const TIMEOUT_MS = 120_000;

/**
 * A checkpoint contains the whole state. LangGraph's suite skips this rule for its own memory and SQLite
 * savers, which do the same.
 */
const NOT_OURS = "should only store channel_values that have changed";

export default defineConfig({
  test: {
    globals: true,
    include: ["test/**/*.test.ts"],
    testNamePattern: new RegExp(`^(?!.*${NOT_OURS})`),
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
  },
});
