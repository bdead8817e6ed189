import type { DescMethodUnary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SERVICES } from "../../src/transport/rpc/services.ts";
import { type Client, clientsOf } from "../conformance/wire/clients.ts";
import { genericRequest, type Subjects } from "../support/generic-request.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

const NOTHING: Subjects = { uri: "ctx://resources/none", session: "none", task: "none", upload: "none", account: "none", user: "none" };

describe("the contract", () => {
  let server: Served;
  let rest: Client;
  beforeAll(async () => {
    server = await serve();
    rest = clientsOf(server.port)[0]!;
  });
  afterAll(() => server.close());

  it("is served whole", async () => {
    const missing: string[] = [];
    for (const method of SERVICES.flatMap((service) => service.methods)) {
      // files come in as a form, which is another way to ask
      if (method.methodKind === "client_streaming") continue;
      const request = genericRequest(method, NOTHING);
      const { code } = await rest
        .call(method as unknown as DescMethodUnary, request, { "x-api-key": ROOT_KEY })
        .catch(() => ({ code: "OK" }));
      if (code === "UNIMPLEMENTED") missing.push(`${method.parent.name}.${method.name}`);
    }
    expect(missing).toEqual([]);
  });
});
