const TICK_MS = 1;
const US_PER_MS = 1000;

/** CPU time of this process in ms, which other processes do not affect. */
function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / US_PER_MS;
}

/**
 * Share of the CPU time of `work` that its longest stretch without a turn of the event loop takes: near 1 if
 * it never yields. A share does not depend on the speed of the machine.
 */
export async function longestShare(work: () => Promise<unknown>): Promise<number> {
  const began = cpuNow();
  let before = began;
  let longest = 0;
  const look = () => {
    const now = cpuNow();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const ticks = setInterval(look, TICK_MS);
  try {
    await work();
  } finally {
    clearInterval(ticks);
  }
  look();
  return longest / (before - began);
}
