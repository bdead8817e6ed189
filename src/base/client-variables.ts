/**
 * Environment variables of the command line with the server's prefix, by what they say. The server passes
 * over them.
 */
export const CLIENT_VARIABLES = {
  address: "CTXDB_ADDRESS",
  key: "CTXDB_API_KEY",
  agent: "CTXDB_AGENT",
  account: "CTXDB_ACCOUNT",
  user: "CTXDB_USER",
  profile: "CTXDB_PROFILE",
  project: "CTXDB_PROJECT",
  hookLimit: "CTXDB_HOOK_LIMIT_MS",
} as const;
