import { expect, it } from "vitest";
import { LISTEN_LIMITS, withinOpenFiles } from "../../../src/transport/connections/connection-limits.ts";
import { Shares } from "../../../src/transport/connections/holder-shares.ts";

const always = () => true;

it("the caller with the most connections loses the oldest idle one of them", () => {
  const shares = new Shares<string>();
  shares.add("few", "few-1");
  for (const thing of ["many-1", "many-2", "many-3"]) shares.add("many", thing);
  expect(shares.giveWay((thing) => thing !== "many-1")).toBe("many-2");
  expect(shares.giveWay(() => false)).toBe("many-1");
  for (const thing of ["many-1", "many-2", "many-3"]) shares.delete("many", thing);
  expect(shares.giveWay(always)).toBe("few-1");
});

it("connection shares count open connections, and forget callers that have none", () => {
  const shares = new Shares<number>();
  expect([shares.size, shares.largest, shares.giveWay(always)]).toEqual([0, 0, undefined]);
  shares.add("a", 1);
  shares.add("a", 2);
  shares.add("b", 3);
  expect([shares.size, shares.largest]).toEqual([3, 2]);
  shares.delete("a", 3);
  shares.delete("c", 1);
  expect(shares.size).toBe(3);
  for (const [holder, thing] of [
    ["a", 1],
    ["a", 2],
    ["b", 3],
  ] as const)
    shares.delete(holder, thing);
  expect([shares.size, shares.largest]).toEqual([0, 0]);
});

it("connection limits follow the process's limit of open files", () => {
  const limits = withinOpenFiles(LISTEN_LIMITS, 1024);
  expect(limits.maxConnections).toBe(512);
  expect(limits.strangers.maxConnections).toBe(128);
  expect(withinOpenFiles(LISTEN_LIMITS, 1_048_576)).toEqual(LISTEN_LIMITS);
  expect(withinOpenFiles(LISTEN_LIMITS, Number.POSITIVE_INFINITY)).toEqual(LISTEN_LIMITS);
});
