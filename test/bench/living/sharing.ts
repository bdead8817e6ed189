import { Api, write } from "../harness/api.ts";
import { type Figure, median, ms } from "../harness/figure.ts";
import { startServer } from "../harness/server.ts";
import { timed } from "../harness/timed.ts";

const ROUNDS = 200;
const FILE = "ctx://resources/shared/heron.md";
const FOLDER = "ctx://resources/shared";
const ROOT_KEY = "root-key-of-the-bench";
const ACCOUNT = "shared";

/** Whether the next find, listing and read after a change of grants follow it. */
export async function sharing(quick: boolean): Promise<Figure[]> {
  const rounds = quick ? 10 : ROUNDS;
  const server = await startServer({ env: { CTXDB_ROOT_API_KEY: ROOT_KEY } });
  const as = ({ user_key }: { readonly user_key: string }) =>
    Api.open(server.port, 1, { "x-api-key": user_key });
  try {
    const root = await Api.open(server.port, 1, { "x-api-key": ROOT_KEY });
    const accounts = "/api/v1/admin/accounts";
    const owner = await as(await root.post(accounts, { account_id: ACCOUNT, admin_user_id: "owner" }));
    const reader = await as(await root.post(`${accounts}/${ACCOUNT}/users`, { user_id: "reader" }));
    await owner.all([write(FILE, "# Herons\n\nA heron waits in shallow water.")]);
    await owner.post("/api/v1/system/wait", { timeout: 60 });
    const grantee = { uri: FOLDER, grantee_type: "user", grantee_id: "reader" };
    const deny = { ...grantee, level: "read", effect: "deny" };
    const times: number[] = [];
    let stale = 0;
    for (let round = 0; round < rounds; round++)
      for (const isDenied of [true, false]) {
        const [path, body] = isDenied ? ["grants", deny] : ["revoke", grantee];
        times.push(await timed(() => owner.post(`/api/v1/access/${path}`, body)));
        for (const seen of await answers(reader)) if (seen === isDenied) stale++;
      }
    for (const api of [root, owner, reader]) api.close();
    return [
      {
        what: `stale finds, globs and listings after ${2 * rounds} changes of a grant`,
        measured: `${stale} of ${6 * rounds}; a change takes ${ms(median(times))}`,
        expected: "0",
        met: stale === 0,
      },
    ];
  } finally {
    await server.stop();
  }
}

/** Whether the file is found, matched by name, and listed. */
async function answers(api: Api): Promise<boolean[]> {
  const found = await api.post("/api/v1/search/find", { query: "heron in shallow water" });
  const named = await api.post("/api/v1/search/glob", { pattern: "**/heron.md" });
  const listed = await api.get("/api/v1/fs/tree?uri=ctx://resources");
  return [found, named, listed].map((answer) => JSON.stringify(answer).includes("heron.md"));
}
