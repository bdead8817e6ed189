import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FORGET } from "../../src/domain/forget.ts";
import { DIRECTORY_LAYERS, directoryLayersJob, type Job } from "../../src/domain/job.ts";
import { clearForgotten } from "../../src/memory/forget/clear-job.ts";
import { forgetJob } from "../../src/memory/forget/forget-job.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { type Actor, House } from "../support/tenant.ts";

describe("clearing what was forgotten from the disk", () => {
  let house: House;
  let ada: Actor;
  beforeEach(async () => {
    // no worker: the test decides which job runs
    house = await House.open(undefined, false);
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ada" });
    ada = house.as("ada");
    await ada.mkdir("ctx://resources/held");
    for (let job = await claim(); job; job = await claim()) await house.queue.finish(job);
  });
  afterEach(() => house.close());

  function claim(): Promise<Job | undefined> {
    house.stores.clock.now += 3600_000;
    return house.queue.claim("semantic");
  }

  /** Runs the next job if it is a clearing job; any other job counts as done. */
  async function next(): Promise<string | undefined> {
    const job = await claim();
    const deps = { ...house.deps, workspaceOf: () => house.workspaceOf(), tenantOf: () => ada.tenant() };
    if (job?.kind === FORGET) await clearForgotten(deps, job, new AbortController().signal);
    else if (job) await house.queue.finish(job);
    return job?.kind;
  }

  it("clearing forgotten content from disk waits until the layers of its directory are made", async () => {
    const workspace = await house.workspaceOf();
    const node = await ada.node("ctx://resources/held");
    const held = { user: "ada", began: 0, nodes: [node], lastJob: 0 };
    const owner = { user: "ada" };
    await workspace.transact((draft) => {
      house.queue.enqueue(draft, forgetJob(workspace.incarnation, owner, held, []));
      house.queue.enqueue(draft, directoryLayersJob(workspace.incarnation, node, ["another cause"]));
      return () => undefined;
    });
    expect([await next(), await next(), await next(), await next()]).toEqual([
      FORGET,
      DIRECTORY_LAYERS,
      FORGET,
      undefined,
    ]);
  });
});
