import { defineConfig } from "vitest/config";

/**
 * Studio in a real browser against the built server: `npm run build` first. Three files at once, on two cores
 * too: each has a browser and a server, and waits for them half of the time.
 */
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 3,
    include: ["test/studio/**/*.studio.ts"],
    testTimeout: 240_000,
    // a page on a busy machine takes longer than the second that is the default
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 60_000,
  },
});
