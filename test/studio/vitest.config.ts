import { defineConfig } from "vitest/config";

/**
 * Studio in a real browser against the built server: `npm run build` first. One file after the other: each
 * has a browser and a server.
 */
export default defineConfig({
  test: {
    pool: "forks",
    fileParallelism: false,
    include: ["test/studio/**/*.studio.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
