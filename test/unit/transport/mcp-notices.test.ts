import { create, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { WatchChangesResponseSchema } from "../../../gen/ctxdb/v1/change_pb.ts";
import { ChangeNotices, type Notice } from "../../../src/transport/mcp/change-notices.ts";
import type { OperationInvoker } from "../../../src/transport/mcp/operation-invoker.ts";
import { changesReply } from "../../../src/transport/mcp/reply.ts";

const FILE = "ctx://resources/plans/a.md";
const event = (kind: string, uri: string, previousUri?: string) =>
  create(WatchChangesResponseSchema, {
    event: "change",
    change: { kind, uri, ...(previousUri !== undefined && { previousUri }) },
  });

/** Returns the notifications that a client gets if some changes occur before it reads anything. */
async function noticesOf(...changes: ReturnType<typeof event>[]): Promise<Notice[]> {
  const notices = new ChangeNotices({ isList: true, uris: [FILE, "ctx://resources/plans/"] }, "ctx://");
  notices.take(create(WatchChangesResponseSchema, { event: "start" }));
  const batches = notices.batches();
  expect((await batches.next()).value).toEqual([]);
  for (const change of changes) notices.take(change);
  notices.take(create(WatchChangesResponseSchema, { event: "heartbeat" }));
  const { value } = await batches.next();
  notices.end();
  return value ?? [];
}

const LIST = { method: "notifications/resources/list_changed" };
const updated = (uri: string) => ({ method: "notifications/resources/updated", params: { uri } });

describe("notices of changes to MCP clients", () => {
  it("a slow client finds each subject once in its notices, however often it changed", async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => event("added", `ctx://resources/new-${i}`));
    expect(await noticesOf(...many, event("changed", FILE), event("changed", FILE))).toEqual([
      LIST,
      updated(FILE),
      updated("ctx://resources/plans/"),
    ]);
  });

  it("a resource counts as changed if its content, its entries or a parent folder changed, not a neighbour", async () => {
    expect(await noticesOf(event("changed", "ctx://resources/plans/sub/deep.md"))).toEqual([]);
    expect(await noticesOf(event("changed", "ctx://resources/plans-2/a.md"))).toEqual([]);
    expect(await noticesOf(event("added", "ctx://resources/plans/b.md"))).toEqual([
      updated("ctx://resources/plans/"),
    ]);
    const moved = event("moved", "ctx://resources/old/plans", "ctx://resources/plans");
    expect(await noticesOf(moved)).toEqual([LIST, updated(FILE), updated("ctx://resources/plans/")]);
  });

  it("the list of resources counts as changed if an entry that it shows changed, not for other changes", async () => {
    expect(await noticesOf(event("changed", "ctx://resources/a.md"))).toEqual([]);
    expect(await noticesOf(event("added", "ctx://user/ann/notes"))).toEqual([]);
    expect(await noticesOf(event("removed", "ctx://resources/a.md"))).toEqual([LIST]);
  });

  it("a stream of notices that cannot start reports the reason", async () => {
    const notices = new ChangeNotices({ isList: true, uris: [] }, "ctx://");
    const first = notices.batches().next();
    notices.end(new Error("too many streams"));
    await expect(first).rejects.toThrow("too many streams");
  });

  it("if the reader of a notice stream stops, the underlying change feed ends with a reason", async () => {
    const told: JsonObject[] = [{ event: "start" }];
    let outcome: unknown;
    const follow: OperationInvoker["follow"] = async (method, _, onMessage) => {
      try {
        for (;;) {
          for (const event of told.splice(0)) onMessage(fromJson(method.output, event));
          await new Promise(setImmediate);
        }
      } catch (error) {
        outcome = error;
        throw error;
      }
    };
    const { body } = changesReply({ root: "ctx://", follow }, { isList: true, uris: [] });
    if (typeof body === "string") throw new Error("the reply is no stream");
    const parts = body[Symbol.asyncIterator]();
    expect(String((await parts.next()).value)).toBe(": keep-alive\n\n");
    await parts.return?.();
    told.push({ event: "heartbeat" });
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(outcome).toMatchObject({ code: "UNAVAILABLE" });
  });
});
