/**
 * `npm run bench [-- --quick] [names …]`: measures the built server and, for comparison, simpler alternatives
 * on the same machine in the same run.
 */
import { bombs } from "./bombs.ts";
import { calls } from "./calls.ts";
import { cluster } from "./cluster.ts";
import { embedding } from "./embedding.ts";
import { files } from "./files.ts";
import { find } from "./find.ts";
import { findable } from "./findable.ts";
import { gateway } from "./gateway.ts";
import { type Bench, table } from "./harness/figure.ts";
import { imports } from "./imports.ts";
import { kinds } from "./kinds.ts";
import { links } from "./links.ts";
import { living } from "./living/living.ts";
import { mainSpace } from "./main-space.ts";
import { mainThread } from "./main-thread.ts";
import { memory } from "./memory.ts";
import { million } from "./million.ts";
import { neighbour } from "./neighbour.ts";
import { patterns } from "./patterns.ts";
import { restart } from "./restart.ts";
import { seal } from "./seal.ts";
import { search } from "./search.ts";
import { sessions } from "./sessions.ts";
import { start } from "./start.ts";
import { tenants } from "./tenants.ts";
import { tree } from "./tree.ts";

const BENCHES: readonly Bench[] = [
  start,
  memory,
  calls,
  find,
  embedding,
  mainSpace,
  mainThread,
  findable,
  files,
  imports,
  kinds,
  bombs,
  patterns,
  tree,
  links,
  seal,
  restart,
  neighbour,
  tenants,
  sessions,
  gateway,
  cluster,
  living,
  search,
  million,
];

const args = process.argv.slice(2);
const quick = args.includes("--quick");
const flag = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const names = args.filter((arg) => !arg.startsWith("-"));
const unknown = names.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0)
  throw new Error(
    `no such bench: ${unknown.join(", ")}; there are ${BENCHES.map(({ name }) => name).join(", ")}`,
  );

const say = (line: string) => process.stdout.write(`${line}\n`);
for (const bench of BENCHES.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const began = performance.now();
  say(`\n${bench.name}: ${bench.title}`);
  try {
    say(table(await bench.run({ quick, flag })));
  } catch (error) {
    say(`  failed: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
  say(`  (${((performance.now() - began) / 1000).toFixed(0)} s)`);
}
