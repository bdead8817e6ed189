import { expect, it } from "vitest";
import { type Owner, SHARED_AGENTS } from "../../../src/workspace/tree/locate.ts";
import { hidesSessions, metaFor } from "../../../src/workspace/tree/shared-meta.ts";

const ANN: Owner = { user: "ann", agent: "helper", agentsOf: "ann", access: undefined };
const SHARING: Owner = { ...ANN, agentsOf: SHARED_AGENTS };

it.each([
  ["one's own space", ANN, ["user", "ann", "memories"], false],
  ["the space of another user", ANN, ["user", "bob", "memories"], true],
  ["one's own agent", ANN, ["agent", "helper", "memories"], false],
  ["an agent of the account", SHARING, ["agent", "helper", "memories"], true],
  ["the skills", SHARING, ["agent", "skills"], false],
  ["the resources", SHARING, ["resources"], false],
] as const)("memories in %s show or hide the sessions that they come from", (_, owner, path, isHidden) => {
  expect(hidesSessions(owner, path)).toBe(isHidden);
  const meta = { session: "private", title: "An owl" };
  expect(metaFor(owner, path, meta)).toEqual(isHidden ? { title: "An owl" } : meta);
});
