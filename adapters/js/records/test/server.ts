import { randomUUID } from "node:crypto";
import { type Client, connect } from "@ctxdb/client";

/** Creates a new user on the server at CTXDB_ADDRESS, which `npm run test:adapters` starts. */
export function newUser(user = `u${randomUUID()}`): Client {
  const address = process.env.CTXDB_ADDRESS;
  if (address === undefined) throw new Error("CTXDB_ADDRESS is missing: run npm run test:adapters");
  return connect(address, { user });
}
