import { expect, it, onTestFinished, vi } from "vitest";
import { EventLoopYielder } from "../../src/base/event-loop.ts";
import { writeFiles } from "../../src/service/content/write-files.ts";
import { removeNodes } from "../../src/service/filesystem/remove-nodes.ts";
import { linkNodes } from "../../src/service/relation/link-nodes.ts";
import { searchScope } from "../../src/service/search/scope.ts";
import { House } from "../support/tenant.ts";

const DEEP = `ctx://resources/${Array.from({ length: 60 }, () => "d").join("/")}`;

it("the URIs of a list are looked up in steps, and a repeated target counts once", async () => {
  const house = await House.open();
  onTestFinished(() => house.end());
  const ann = house.as("ann");
  const names = Array.from({ length: 40 }, (_, i) => `${DEEP}/${i}.md`);
  const paused = vi.spyOn(EventLoopYielder.prototype, "yieldIfDue");
  onTestFinished(() => paused.mockRestore());
  const pausesOf = async (work: () => Promise<unknown>) => {
    paused.mockClear();
    await work();
    return paused.mock.calls.length;
  };
  const files = names.map((uri) => ({ uri, content: "owl", mode: "create" as const }));
  expect(
    await pausesOf(() => writeFiles(house.deps, ann.call, { files, wait: false })),
  ).toBeGreaterThanOrEqual(names.length);
  const tenant = await ann.tenant();
  const often = Array.from({ length: 1000 }, (_, i) => names[i % 2] ?? "");
  expect((await searchScope(tenant, often)).roots).toHaveLength(2);
  expect(await pausesOf(async () => searchScope(tenant, [...often.slice(1), "ctx://"]))).toBe(often.length);
  const [fromUri = "", ...toUris] = names;
  const related = () => linkNodes(house.deps, ann.call, { fromUri, toUris, reason: "" });
  expect(await pausesOf(related)).toBeGreaterThanOrEqual(toUris.length);
  const gone = { uris: names, recursive: false, permanent: false };
  expect(await pausesOf(() => removeNodes(house.deps, ann.call, gone))).toBeGreaterThanOrEqual(names.length);
});
