import { randomUUID } from "node:crypto";
import { execute } from "./postgres.ts";

/** Variable by which cluster-setup.ts tells the test processes what it has started. */
export const AT = "TEST_CLUSTER_AT";

interface Started {
  /** URL of a database from which others can be created. */
  readonly url: string;
  /** Settings of a bucket. */
  readonly objects: Readonly<Record<string, string>>;
}

const { [AT]: given } = process.env;
const started = given === undefined ? undefined : (JSON.parse(given) as Started);

/** Whether tests run over PostgreSQL and an object store: three servers where they start one. */
export const onCluster = started !== undefined;

export interface SharedDatabase {
  readonly url: string;
  /** Settings of servers that share it and a prefix of the bucket. */
  readonly settings: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

/** Creates an empty database. */
export async function newSharedDatabase(): Promise<SharedDatabase> {
  if (!started) throw new Error("no PostgreSQL was started: set TEST_CLUSTER=1");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await execute(started.url, `CREATE DATABASE ${name}`);
  const url = started.url.replace("postgres:///postgres?", `postgres:///${name}?`);
  const { CTXDB_OBJECTS, ...access } = started.objects;
  return {
    url,
    settings: { ...access, CTXDB_STORE: url, CTXDB_OBJECTS: `${CTXDB_OBJECTS}${name}` },
    drop: () => execute(started.url, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}
