import { request as httpRequest } from "node:http";
import { connect } from "node:http2";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  answersByApi,
  chunkEvents,
  eventText,
  message,
  messageEvents,
  responseEvents,
  sendEvents,
  sendJson,
} from "../support/chat-provider.ts";
import { PROVIDER_KEY, said, useGateway } from "../support/gateway.ts";
import { ROOT_KEY, serve } from "../support/served.ts";

describe("the gateway", () => {
  const gateway = useGateway();

  describe("passes on", () => {
    it("the gateway passes on every byte of a body that it does not extend", async () => {
      const body =
        '{ "model":"m" ,"big": 12345678901234567890.0100, "a":1,"a":2,\n\t"u":"\\u00e9\\/\\ud83d\\ude00", "messages":[{"content":"zzzz qqqq","role":"user"}]}  ';
      const answer = await gateway.current.post("anthropic/v1/messages?beta=true&x=%2F", body, {
        "x-ctxdb-recall": "off",
      });
      expect(answer.status).toBe(200);
      expect(gateway.current.sent()).toBe(body);
      expect(gateway.current.provider.requests[0]?.url).toBe("/v1/messages?beta=true&x=%2F");
    });

    it("the gateway passes on a malformed body so that the provider reports the fault", async () => {
      gateway.current.provider.script = (_, response) => sendJson(response, { type: "error" }, 400);
      const bodies = [
        "not json",
        '{"messages":[{"role":"user","content":"hi"}',
        '{"messages":[}]}',
        "[]",
        "",
        "\ufeff{}",
        `{"messages":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
        `{"messages":[${'{"role":"user","content":"a"},'.repeat(60_000)}{}]}`,
      ];
      for (const body of bodies) {
        const answer = await gateway.current.post("anthropic/v1/messages", body);
        expect(answer.status).toBe(400);
        expect(await answer.text()).toBe('{"type":"error"}');
        expect(gateway.current.sent()).toBe(body);
      }
    });

    it("the gateway passes on the provider's key and unknown headers, and no ctxdb or connection headers", async () => {
      await gateway.current.messages([{ role: "user", content: "hello there" }], {
        authorization: "Bearer other-key",
        "anthropic-beta": "some-beta",
        "x-unknown": "one, two",
        "x-ctxdb-agent": "tester",
        "x-ctx-user": "ann",
        "x-openviking-account": "acme",
      });
      const headers = gateway.current.provider.requests[0]?.headers ?? {};
      expect(headers).toMatchObject({
        "x-api-key": PROVIDER_KEY,
        authorization: "Bearer other-key",
        "anthropic-beta": "some-beta",
        "x-unknown": "one, two",
      });
      expect(Object.keys(headers).filter((name) => /ctx|viking/.test(name))).toEqual([]);
      expect(JSON.stringify(headers)).not.toContain(gateway.current.ann);
      expect(headers.host).toBe(new URL(gateway.current.provider.url).host);
    });

    it("the gateway removes headers that the Connection header names", async () => {
      const status = await new Promise((resolve, reject) => {
        const asking = httpRequest(
          {
            port: gateway.current.served.port,
            path: "/gateway/openai/v1/models",
            headers: {
              connection: "close, x-private",
              "x-private": "1",
              te: "trailers",
              "x-ctxdb-key": gateway.current.ann,
              authorization: "Bearer k",
            },
          },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        );
        asking.on("error", reject).end();
      });
      expect(status).toBe(200);
      const { headers, method, url } = gateway.current.provider.requests[0] ?? {};
      expect([method, url]).toEqual(["GET", "/v1/models"]);
      expect(headers).not.toHaveProperty("x-private");
      expect(headers).not.toHaveProperty("te");
    });

    for (const status of [400, 401, 403, 404, 413, 429, 500, 503, 529])
      it(`the gateway passes on a provider error ${status} with its body and headers`, async () => {
        const error = { type: "error", error: { type: "some_error", message: "no" } };
        gateway.current.provider.script = (_, response) => {
          response.setHeader("retry-after", "17");
          response.setHeader("anthropic-ratelimit-requests-remaining", "0");
          sendJson(response, error, status);
        };
        const answer = await gateway.current.messages([{ role: "user", content: `an error ${status}` }]);
        expect(answer.status).toBe(status);
        expect(answer.text).toBe(JSON.stringify(error));
        expect(answer.headers.get("retry-after")).toBe("17");
        expect(answer.headers.get("anthropic-ratelimit-requests-remaining")).toBe("0");
        expect(answer.headers.get("request-id")).toBe("req_of_the_provider");
        expect(answer.headers.get("x-request-id")).toBeNull();
      });

    it("the gateway passes on compressed responses and redirects unchanged", async () => {
      const body = gzipSync(JSON.stringify(message([{ text: "hello" }])));
      gateway.current.provider.script = (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
        response.end(body);
      };
      expect(JSON.parse((await gateway.current.messages([{ role: "user", content: "zip" }])).text).id).toBe(
        "msg_1",
      );
      expect(gateway.current.provider.requests[0]?.headers["accept-encoding"]).toBe("identity");
      gateway.current.provider.script = (_, response) => {
        response.writeHead(307, { location: "http://127.0.0.1:1/elsewhere" });
        response.end();
      };
      const answer = await fetch(`http://127.0.0.1:${gateway.current.served.port}/gateway/openai/v1/models`, {
        headers: { "x-ctxdb-key": gateway.current.ann },
        redirect: "manual",
      });
      expect(answer.status).toBe(307);
      expect(answer.headers.get("location")).toBe("http://127.0.0.1:1/elsewhere");
    });

    it("the gateway removes provider headers that would apply to its own origin", async () => {
      gateway.current.provider.script = (_, response) => {
        response.setHeader("access-control-allow-origin", "https://evil.example");
        response.setHeader("strict-transport-security", "max-age=1");
        response.setHeader("alt-svc", 'h3=":443"');
        sendJson(response, {});
      };
      const { headers } = await gateway.current.messages([{ role: "user", content: "headers" }]);
      for (const name of ["access-control-allow-origin", "strict-transport-security", "alt-svc"])
        expect(headers.get(name)).toBeNull();
      // a page served by a provider must not share Studio's origin
      expect(headers.get("content-security-policy")).toMatch(/^sandbox;/);
    });

    it("the gateway passes on streams of all APIs byte for byte, however they are split", async () => {
      const streams = [
        ["anthropic/v1/messages", messageEvents([{ text: "Grüße 😀 all" }]), { messages: said("stream a") }],
        ["openai/v1/chat/completions", chunkEvents("Grüße 😀 all"), { messages: said("stream b") }],
        ["openai/v1/responses", responseEvents("Grüße 😀 all"), { input: "stream c" }],
      ] as const;
      for (const [path, events, body] of streams)
        for (const size of [1, 3, 1_000_000]) {
          gateway.current.provider.script = (_, response) => sendEvents(response, events, size);
          expect((await gateway.current.ask(path, { ...body, stream: true })).text).toBe(eventText(events));
        }
    });

    it("the gateway serves a caller over HTTP/2", async () => {
      const session = connect(`http://127.0.0.1:${gateway.current.served.port}`);
      const stream = session.request({
        ":method": "POST",
        ":path": "/gateway/anthropic/v1/messages",
        "content-type": "application/json",
        "x-api-key": PROVIDER_KEY,
        "x-ctxdb-key": gateway.current.ann,
        "x-ctxdb-session": "over-http2",
      });
      stream.end(JSON.stringify({ stream: true, messages: said("over HTTP/2") }));
      let [text, status] = ["", 0];
      stream.on("response", (headers) => {
        status = Number(headers[":status"]);
      });
      for await (const chunk of stream) text += String(chunk);
      session.close();
      expect(status).toBe(200);
      expect(text).toBe(eventText(messageEvents([{ text: "Fine, noted." }])));
      expect(
        Object.keys(gateway.current.provider.requests[0]?.headers ?? {}).some((name) => name.startsWith(":")),
      ).toBe(false);
      expect(await gateway.current.texts("over-http2")).toEqual([
        "user: over HTTP/2",
        "assistant: Fine, noted.",
      ]);
    });

    it("the gateway aborts a response that the provider aborts", async () => {
      gateway.current.provider.script = (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(eventText(messageEvents([{ text: "half of it" }]).slice(0, 5)));
        setImmediate(() => response.destroy());
      };
      const answer = await gateway.current.post(
        "anthropic/v1/messages",
        JSON.stringify({ stream: true, messages: said("broken off") }),
        { "x-ctxdb-session": "broken-off" },
      );
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow();
      gateway.current.provider.script = answersByApi;
      await gateway.current.messages(said("broken off"), { "x-ctxdb-session": "broken-off" });
      expect(await gateway.current.texts("broken-off")).toEqual([
        "user: broken off",
        "assistant: Fine, noted.",
      ]);
    });

    it("the gateway closes the connection to the provider when its caller leaves", async () => {
      gateway.current.provider.script = (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(": open\n\n");
      };
      const gone = gateway.current.provider.hungUp();
      const leave = new AbortController();
      const answer = await fetch(
        `http://127.0.0.1:${gateway.current.served.port}/gateway/anthropic/v1/messages`,
        {
          method: "POST",
          headers: { "x-ctxdb-key": gateway.current.ann },
          body: JSON.stringify({ stream: true, messages: said("bye") }),
          signal: leave.signal,
        },
      );
      expect(answer.status).toBe(200);
      leave.abort();
      await gone;
    });

    it("the gateway passes on a body of 12 MiB completely, and refuses one above its limit", async () => {
      const picture = "A".repeat(12 * 1024 * 1024);
      const content = [
        { type: "image", source: { type: "base64", media_type: "image/png", data: picture } },
        { type: "text", text: "what is this?" },
      ];
      const { status } = await gateway.current.messages([{ role: "user", content }], {
        "x-ctxdb-session": "pictures",
      });
      expect(status).toBe(200);
      expect(gateway.current.sent()).toContain(picture);
      expect((await gateway.current.texts("pictures")).join()).toMatch(
        /^user: what is this\?\|\[image, 125829\d\d bytes\],assistant/,
      );
      const large = await gateway.current.post("anthropic/v1/messages", Buffer.alloc(33 * 1024 * 1024, "a"));
      expect(large.status).toBe(413);
      expect(await large.json()).toMatchObject({ type: "error", error: { type: "request_too_large" } });
    });
  });

  describe("lets nobody", () => {
    it("a gateway caller cannot choose another path, host or provider", async () => {
      const raw = (path: string) =>
        new Promise<number | undefined>((resolve, reject) => {
          const asking = httpRequest(
            { port: gateway.current.served.port, path, headers: { "x-ctxdb-key": gateway.current.ann } },
            (response) => {
              response.resume();
              resolve(response.statusCode);
            },
          );
          asking.on("error", reject).end();
        });
      for (const path of [
        "/gateway/openai/v1/../admin",
        "/gateway/openai/v1/a/../../b",
        "/gateway/openai/v1/%2e%2e/b",
        "/gateway/openai/v1/a%2fb",
        "/gateway/openai/v1/a%5Cb",
        "/gateway/openai/v1/a%0d%0ab",
        "/gateway/openai/v1//evil.example/x",
        "/gateway/openai/v2/models",
        "/gateway/openai/",
        "/gateway/evil.example/v1/models",
        "/gateway/__proto__/v1/models",
        "/gateway",
      ])
        expect([path, await raw(path)]).toEqual([path, 404]);
      expect(gateway.current.provider.requests).toEqual([]);
      expect(await raw("/gateway/openai/v1/models/ft%3Amodel")).toBe(200);
    });

    it("the gateway refuses a call without a ctxdb key, even with a provider key", async () => {
      for (const key of ["", "wrong"]) {
        const answer = await gateway.current.messages(said("hello"), {
          "x-ctxdb-key": key,
          "x-api-key": gateway.current.ann,
        });
        expect(answer.status).toBe(401);
        expect(answer.text).not.toContain(gateway.current.ann);
        expect(answer.headers.get("x-ctxdb-error")).toBe("UNAUTHENTICATED");
      }
      expect(gateway.current.provider.requests).toEqual([]);
    });

    it("a gateway caller cannot use another user's session by its name", async () => {
      const made = await gateway.current.served.rest(gateway.current.ann, "POST admin/accounts/acme/users", {
        user_id: "eve",
        role: "user",
      });
      const eve = (made.result as { user_key: string }).user_key;
      await gateway.current.messages(said("my secret plan"), { "x-ctxdb-session": "of-ann" });
      await gateway.current.messages(said("what is the plan?"), {
        "x-ctxdb-session": "of-ann",
        "x-ctxdb-key": eve,
      });
      expect(await gateway.current.texts("of-ann")).toEqual([
        "user: my secret plan",
        "assistant: Fine, noted.",
      ]);
      expect(gateway.current.sent()).not.toContain("secret");
    });

    it("the gateway refuses malformed switches and session names in headers", async () => {
      for (const header of ["x-ctxdb-recall", "x-ctxdb-capture", "x-ctxdb-session"]) {
        const answer = await gateway.current.messages(said("hello"), { [header]: "no way!" });
        expect(answer.status).toBe(400);
        expect(answer.text.toLowerCase()).toContain(header);
      }
    });
  });

  it("the gateway's routes return 404 if the gateway is not configured", async () => {
    const bare = await serve();
    const answer = await fetch(`http://127.0.0.1:${bare.port}/gateway/openai/v1/models`, {
      headers: { "x-api-key": ROOT_KEY },
    });
    expect(answer.status).toBe(404);
    await bare.close();
  });
});
