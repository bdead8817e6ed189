import { defineConfig } from "vitest/config";

/**
 * Studio in a real browser with the built server; run `npm run build` first. Three files run in parallel,
 * even on two cores: each has a browser and a server, and waits for them half of the time.
 */
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 3,
    include: ["test/studio/**/*.studio.ts"],
    testTimeout: 240_000,
    // on a busy machine a page takes longer than the default of one second
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 60_000,
  },
});
