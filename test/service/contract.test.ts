import type { DescMethodUnary, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChangeService } from "../../gen/ctxdb/v1/change_pb.ts";
import { SessionService } from "../../gen/ctxdb/v1/session_pb.ts";
import { SERVICES } from "../../src/transport/services.ts";
import { type Client, clientsOf } from "../conformance/wire/clients.ts";
import { genericRequest, type Subjects } from "../support/generic-request.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

const NOTHING: Subjects = {
  uri: "ctx://resources/none",
  session: "none",
  task: "none",
  upload: "none",
  account: "none",
  user: "none",
  memory: "none",
  webhook: "none",
  trash: "none",
};

describe("the contract", () => {
  let server: Served;
  let rest: Client;
  beforeAll(async () => {
    server = await serve();
    rest = clientsOf(server.port)[0]!;
  });
  afterAll(() => server.close());

  it("every operation of the contract is served over REST", async () => {
    const missing: string[] = [];
    for (const method of SERVICES.flatMap((service) => service.methods)) {
      // files are uploaded as forms, which need another kind of request
      if (method.methodKind === "client_streaming") continue;
      // an endless stream, which watch-changes.test.ts covers
      if (method === ChangeService.method.watchChanges) continue;
      const request = genericRequest(method, NOTHING);
      const { code } = await rest
        .call(method as unknown as DescMethodUnary, request, { "x-api-key": ROOT_KEY })
        .catch(() => ({ code: "OK" }));
      if (code === "UNIMPLEMENTED") missing.push(`${method.parent.name}.${method.name}`);
    }
    expect(missing).toEqual([]);
  });

  it("a conversation gives the same results on every protocol", async () => {
    const call = async (client: Client, method: DescMethodUnary, request: JsonObject) => {
      const { code, result } = await client.call(method, request, { "x-api-key": ROOT_KEY });
      expect(code).toBe("OK");
      return result as Record<string, JsonValue>;
    };
    const { method } = SessionService;
    const { session_id = "" } = await call(rest, method.createSession, {});
    await call(rest, method.addMessage, {
      session_id,
      role: "user",
      content: 'Straße "7"\\\n\u0001 \u{1f989} 猫头鹰',
    });
    const tool = {
      type: "tool",
      tool_id: "1",
      tool_name: "sum",
      tool_input: { z: [1.5, 1e21, null, { y: "" }] },
      tool_output: "",
    };
    const context = { type: "context", uri: "ctx://resources/a b", context_type: "resource", abstract: "" };
    await call(rest, method.addMessage, {
      session_id,
      role: "assistant",
      parts: [{ type: "text", text: "" }, tool, context],
    });
    const [first, ...others] = await Promise.all(
      clientsOf(server.port).map((client) =>
        call(client, method.getSessionContext, { session_id, token_budget: 500 }),
      ),
    );
    expect(first).toMatchObject({
      messages: [{ role: "user" }, { role: "assistant", parts: [{}, { tool_input: tool.tool_input }, {}] }],
    });
    for (const other of others) expect(other).toEqual(first);
  });
});
