import { expect, it } from "vitest";
import { type WorkspaceId, workspaceId } from "../../../src/domain/ids.ts";
import { type Holder, type Ownership, type OwnershipEvents, Stores } from "../../../src/storage/stores.ts";
import { ramStores } from "../../support/stores.ts";

const W = workspaceId(7);

/** An ownership that has taken one workspace in its turn 5, and whose events the test causes. */
function ownership() {
  let events: OwnershipEvents | undefined;
  let turn = 5;
  const own: Ownership = {
    hasServerRecords: true,
    start: async (given) => {
      events = given;
      return new Map<WorkspaceId, number>([[W, turn]]);
    },
    isSure: () => true,
    take: async () => ({ turn: ++turn }),
    prepare: async () => undefined,
    give: async () => undefined,
  };
  return { own, lose: () => events?.lost(W) };
}

const nothing = async () => undefined;
const open = (own: Ownership) => new Stores({ ...ramStores(), ownership: own });
const holderOf = (adopt: Holder["adopt"]): Holder => ({
  adopt,
  resume: nothing,
  leave: nothing,
  drop: () => undefined,
});

it("a workspace taken at the start of a server is held with the turn of that take", async () => {
  const stores = open(ownership().own);
  expect(await stores.start(holderOf(nothing))).toEqual([W]);
  expect(stores.holding(W)).toBe(5);
});

it("a workspace that is lost while the server starts is not held, and can be taken again", async () => {
  const { own, lose } = ownership();
  const stores = open(own);
  let isFirst = true;
  const adopt = async () => {
    if (isFirst) lose();
    isFirst = false;
  };
  expect(await stores.start(holderOf(adopt))).toEqual([]);
  expect(stores.holding(W)).toBeUndefined();
  expect(await stores.take(W)).toBeUndefined();
  expect(stores.holding(W)).toBe(6);
});

it("a workspace lost before the starting server reaches it is not held", async () => {
  const { own, lose } = ownership();
  const start = own.start;
  own.start = async (events) => {
    const found = await start(events);
    lose();
    return found;
  };
  const stores = open(own);
  expect(await stores.start(holderOf(nothing))).toEqual([]);
  expect(stores.holding(W)).toBeUndefined();
});
