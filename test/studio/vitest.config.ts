import { defineConfig } from "vitest/config";

/**
 * Studio in a real browser against the built server: `npm run build` first. Two files at once: each has a
 * browser and a server, and waits for them most of the time.
 */
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    include: ["test/studio/**/*.studio.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
