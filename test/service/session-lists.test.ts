import { expect, it, onTestFinished } from "vitest";
import { createOwnSession } from "../../src/service/session/create-session.ts";
import { listSessions } from "../../src/service/session/list-sessions.ts";
import { House } from "../support/tenant.ts";

it("the pages of a long list of sessions are complete and in order", async () => {
  const house = await House.open();
  onTestFinished(() => house.end());
  const ann = house.as("ann");
  const COUNT = 25;
  for (let i = 0; i < COUNT; i++) {
    house.stores.clock.now += 1000;
    await createOwnSession(house.deps, ann.call, { sessionId: `s${i}` });
  }
  const newest = Array.from({ length: COUNT }, (_, i) => `s${COUNT - 1 - i}`);
  const page = async (limit: number, offset = 0, cursor?: string) => {
    const { sessions, nextCursor } = await listSessions(house.deps, ann.call, { limit, offset, cursor });
    return { ids: sessions.map(({ sessionId }) => sessionId), nextCursor };
  };
  expect((await page(1000)).ids).toEqual(newest);
  // far fewer than there are, so that the list is trimmed several times
  const first = await page(2, 3);
  expect(first.ids).toEqual(["s21", "s20"]);
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const next = await page(2, 0, cursor);
    ids.push(...next.ids);
    cursor = next.nextCursor;
  } while (cursor !== undefined);
  expect(ids).toEqual(newest);
});
