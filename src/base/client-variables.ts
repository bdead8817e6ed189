/** Environment variables of the command line that share the server's prefix; the server ignores them. */
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
