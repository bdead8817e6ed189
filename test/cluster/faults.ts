import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Random } from "../crash/random.ts";
import { Ends } from "../support/ends.ts";
import { type ReplicatedPostgres, startReplicatedPostgres } from "../support/postgres.ts";
import { type S3Server, startS3 } from "../support/s3.ts";
import { Cluster } from "./cluster.ts";
import { Disturbances, ISOLATING } from "./disturbances.ts";
import { Gate } from "./gate.ts";
import { Growth } from "./growth.ts";
import { Load } from "./load.ts";

const SERVERS = 3;
const LEASE_SECONDS = 3;
/** Without one of its protections, a build is shown to be wrong within this time. */
const MUTANT_SECONDS = 20;
const MUTANT_ATTEMPTS = 3;
const MUTANTS = ["no-fence", "no-lease-check"];
const MAX_SHOWN = 20;

interface Run {
  readonly seconds: number;
  readonly seed: number;
  readonly mutant?: string;
  /** The only faults; by default all. */
  readonly only?: string[];
}

interface Stores {
  readonly postgres: ReplicatedPostgres;
  readonly s3: S3Server;
}

/** Puts three servers under load and faults. Returns the number of violations. */
async function disturbed({ seconds, seed, mutant, only }: Run, { postgres, s3 }: Stores): Promise<number> {
  const random = new Random(seed);
  const bucket = s3.settings(`faults-${mutant ?? ""}`);
  const objects = await Gate.open(
    { host: "127.0.0.1", port: 0 },
    Number(new URL(String(bucket.CTXDB_OBJECTS_ENDPOINT)).port),
  );
  const settings = {
    ...bucket,
    CTXDB_OBJECTS_ENDPOINT: `http://127.0.0.1:${objects.port}`,
    CTXDB_LEASE_SECONDS: String(LEASE_SECONDS),
    CTXDB_BALANCE_SECONDS: "2",
    CTXDB_EMBEDDING_PROVIDER: "light",
  };
  const cluster = new Cluster(await postgres.empty(), settings, mutant);
  try {
    await Promise.all(Array.from({ length: SERVERS }, () => cluster.add()));
    const load = new Load(cluster, random);
    await load.prepare();
    const leaseMs = LEASE_SECONDS * 1000;
    const faults = new Disturbances({ cluster, load, postgres, objects, random, leaseMs });
    let isOver = false;
    const time = sleep(seconds * 1000).then(() => {
      isOver = true;
    });
    const names = mutant === undefined ? only : [...ISOLATING];
    const growth = new Growth();
    const watching = growth.watch(
      cluster,
      () => postgres.url,
      seconds * 1000,
      () => isOver,
    );
    await Promise.all([time, load.run(() => isOver), faults.run(() => isOver, names), watching]);
    await growth.measure(postgres.url);
    const { lost, doubled, stale } = await load.check(await cluster.startAnew());
    const report = {
      build: mutant ?? "as it ships",
      seconds,
      seed,
      ...load.counts,
      faults: Object.fromEntries(faults.counts),
      overtaken: faults.overtaken,
      "left with a full disk": faults.left,
      "memory of a server in MiB": growth.memory,
      "tables in MiB": growth.tables,
      lost: lost.length,
      doubled: doubled.length,
      stale: stale.length,
    };
    process.stdout.write(`${JSON.stringify(report)}\n`);
    const violations = [...lost, ...doubled, ...stale];
    for (const line of violations.slice(0, MAX_SHOWN)) process.stdout.write(`  ${line}\n`);
    if (load.counts.acknowledged === 0) throw new Error("nothing was acknowledged");
    return violations.length;
  } finally {
    await cluster.end();
    await objects.close();
  }
}

/**
 * `npm run test:cluster -- --seconds N --seed S`: three servers over one store under load, with faults from a
 * seed. Fails if a write that was acknowledged is lost or doubled, or an answer is stale. With `--mutant NAME`
 * it runs a build without one of its protections and fails if that is not found; with `--prove`, all of this.
 * `--fault NAME`, once or more often, runs only these faults.
 */
async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string" },
      seed: { type: "string", default: "1" },
      mutant: { type: "string", multiple: true },
      fault: { type: "string", multiple: true },
      prove: { type: "boolean", default: false },
    },
  });
  const seed = Number(values.seed);
  const only = values.fault;
  const mutants = values.prove ? MUTANTS : (values.mutant ?? []);
  const unknown = mutants.find((mutant) => !MUTANTS.includes(mutant));
  if (unknown !== undefined) throw new Error(`no mutant ${unknown}: use ${MUTANTS.join(" or ")}`);
  const ends = new Ends();
  try {
    const postgres = await startReplicatedPostgres();
    ends.add(() => postgres.stop());
    const s3 = await startS3();
    ends.add(() => s3.stop());
    const stores = { postgres, s3 };
    const seconds = Number(values.seconds ?? 60);
    if (!values.mutant && (await disturbed({ seconds, seed, ...(only && { only }) }, stores)) > 0)
      process.exitCode = 1;
    for (const mutant of mutants) {
      const limit = values.prove ? MUTANT_SECONDS : Number(values.seconds ?? MUTANT_SECONDS);
      // a server that is cut off may have given its account away just before
      let found = 0;
      for (let attempt = 0; attempt < MUTANT_ATTEMPTS && found === 0; attempt++)
        found = await disturbed({ seconds: limit, seed: seed + attempt, mutant }, stores);
      if (found > 0) continue;
      process.stdout.write(`the build ${mutant} was not found to be wrong\n`);
      process.exitCode = 1;
    }
  } finally {
    await ends.run();
  }
}

await run();
