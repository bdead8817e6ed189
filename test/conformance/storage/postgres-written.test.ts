import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { Committer, LostWorkspaces } from "../../../src/storage/postgres/committer.ts";
import { Connection, type Query } from "../../../src/storage/postgres/connection.ts";
import { EMPTY, STEPS } from "../../../src/storage/postgres/schema.ts";
import { execute, hasPostgres, type Postgres, startPostgres } from "../../support/postgres.ts";
import { silentLog } from "../../support/silent-log.ts";

const workspace = workspaceId(1);

describe.runIf(hasPostgres)("a change whose response was lost while another server took the account", () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  /** Commits a change whose response is lost; then another server takes the account and makes `later` changes. */
  async function commit(later: number, isWritten: boolean): Promise<void> {
    const url = await postgres.empty();
    for (const step of [EMPTY, ...STEPS]) await execute(url, step);
    await execute(url, "INSERT INTO ctxdb.workspaces (incarnation, turn, version) VALUES (1, 1, 1)");
    const connection = new Connection(url, silentLog);
    onTestFinished(() => connection.close());
    const other = new Committer(connection.query);
    const [here, there] = [randomUUID(), randomUUID()];
    let isBroken = false;
    const query: Query = async (text, values, name) => {
      if (isBroken) return connection.query(text, values, name);
      isBroken = true;
      if (isWritten) await connection.query(text, values, name);
      await execute(url, "UPDATE ctxdb.workspaces SET turn = 2");
      const first = isWritten ? 3 : 2;
      for (let i = 0; i < later; i++) {
        const after = i > 0 ? there : isWritten ? here : "";
        const ops = [{ key: "w/0000001/later", value: Buffer.from("x") }];
        await other.commit([
          { workspace, turn: 2, version: first + i, written: there, after, ops, named: [] },
        ]);
      }
      throw new Error("the connection broke");
    };
    const ops = [{ key: "w/0000001/one", value: Buffer.from("1") }];
    await new Committer(query).commit([
      { workspace, turn: 1, version: 2, written: here, after: "", ops, named: [] },
    ]);
  }

  it.each([0, 1, 2])(
    "a change is reported as written if it was, after %i changes of that server",
    async (later) => {
      await commit(later, true);
    },
  );

  it.each([0, 1, 2])("a change is reported as not written if it was not, after %i changes", async (later) => {
    await expect(commit(later, false)).rejects.toThrow(LostWorkspaces);
  });
});
