import { startPostgres } from "./postgres.ts";
import { startS3 } from "./s3.ts";
import { AT } from "./shared-database.ts";

/** Connections of the servers that tests of two processes have at once. */
const SETTINGS = ["max_connections=500"];

/** Before a test run with TEST_CLUSTER=1: starts the PostgreSQL and the object store of all tests. */
export default async function setup(): Promise<() => Promise<void>> {
  const [postgres, s3] = await Promise.all([startPostgres(SETTINGS), startS3()]);
  process.env[AT] = JSON.stringify({ url: postgres.url, objects: s3.settings("") });
  return async () => {
    await Promise.all([postgres.stop(), s3.stop()]);
  };
}
