/**
 * `npm run test:crash -- [--cycles N] [--seconds N] [--seed S] [--fail-points] [--no-damage] [--keep]`:
 * random work, kills, restarts and comparison with a simple model, then damage to the data directory. Takes
 * about 40 seconds by default; `--cycles 500 --seconds 3600` is a long run. It uses the compiled server, so
 * build first. The exit status is 1 if anything was lost, partly visible or wrong.
 */
import { parseArgs } from "node:util";
import { damageRounds } from "./damage.ts";
import { Harness } from "./harness.ts";

const { values } = parseArgs({
  options: {
    cycles: { type: "string", default: "1000" },
    seconds: { type: "string", default: "25" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e6)) },
    "fail-points": { type: "boolean", default: false },
    "no-damage": { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});

const VERIFY_EVERY = 10;

const out = (line: string) => process.stdout.write(`${line}\n`);
const seed = Number(values.seed);
const until = performance.now() + Number(values.seconds) * 1000;
const cycles = Number(values.cycles);
out(`seed ${seed}${values["fail-points"] ? ", fail points" : ""}`);

const harness = await Harness.open({ seed, failPoints: values["fail-points"], say: out });
let done = 0;
try {
  while (done < cycles && harness.violations.length === 0 && (performance.now() < until || done === 0)) {
    await harness.cycle(false);
    done++;
    if (done % VERIFY_EVERY !== 0) continue;
    await harness.verify();
    out(`  ${done} cycles, ${harness.acknowledged} acknowledged`);
  }
  await harness.verify();
  if (!values["no-damage"])
    out(`noticed: ${(await damageRounds(seed, (what) => harness.complain(what))).join("; ")}`);
} finally {
  const failed = harness.violations.length > 0;
  await harness.close(values.keep || failed);
  out(
    `fail points reached: ${[...harness.hits].map(([kind, count]) => `${kind} ${count}`).join(", ") || "none"}`,
  );
  out(
    `${done} cycles, ${harness.acknowledged} acknowledged operations, ${harness.violations.length} violations`,
  );
  if (failed) process.exitCode = 1;
}
