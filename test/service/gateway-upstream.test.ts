import { createHash } from "node:crypto";
import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { answersByApi, message, type ProviderScript } from "../support/chat-provider.ts";
import { said, useGateway } from "../support/gateway.ts";

const MIB = 1024 * 1024;
const EVENT =
  'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"half';

/** Answers with exactly these bytes, which no HTTP library would send. */
const raw =
  (...pieces: string[]): ProviderScript =>
  (_, response) => {
    for (const piece of pieces) response.socket?.write(piece);
  };

describe("the gateway and a hostile provider", () => {
  const gateway = useGateway();
  const ask = async (script: ProviderScript, session = "hostile") => {
    gateway.current.provider.script = script;
    const answer = await gateway.current.post(
      "anthropic/v1/messages",
      JSON.stringify({ messages: said("hello") }),
      {
        "x-ctxdb-session": session,
      },
    );
    return { answer, text: await answer.text().catch((error: Error) => error) };
  };

  it.each([
    ["headers without end", "HTTP/1.1 200 OK\r\n", `${"x-a: b\r\n".repeat(20_000)}`],
    ["a header without end", "HTTP/1.1 200 OK\r\nx-a: ", "b".repeat(MIB)],
    ["informational answers without end", "HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n".repeat(1000)],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    [
      "a length and chunks",
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
    ],
    ["a header with a control character", "HTTP/1.1 200 OK\r\nx-a: b\u0001c\r\ncontent-length: 0\r\n\r\n"],
    ["a broken line of headers", "HTTP/1.1 200 OK\r\nx-a\r\n y\r\n\r\n"],
  ])(
    "the gateway returns 502, or headers without line breaks, when a provider sends %s",
    async (_, ...pieces) => {
      const { answer, text } = await ask(raw(...pieces));
      if (answer.status === 200) expect(answer.headers.get("x-a")).not.toMatch(/[\r\n]/);
      else expect([answer.status, typeof text]).toEqual([502, "string"]);
      gateway.current.provider.script = answersByApi;
      expect((await gateway.current.messages(said("and now?"))).status).toBe(200);
    },
  );

  it("the gateway passes redirects on and never follows them", async () => {
    const { served, provider } = gateway.current;
    provider.script = (_, response) =>
      void response.writeHead(307, { location: `http://127.0.0.1:${served.port}/healthz` }).end();
    const answer = await fetch(`http://127.0.0.1:${served.port}/gateway/anthropic/v1/messages`, {
      method: "POST",
      redirect: "manual",
      headers: { "x-ctxdb-key": gateway.current.ann },
      body: JSON.stringify({ messages: said("hello") }),
    });
    expect([answer.status, provider.requests.length]).toEqual([307, 1]);
  });

  it("the gateway passes a compressed bomb on unchanged, without unpacking or capturing it", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB));
    gateway.current.provider.script = (_, response) =>
      void response
        .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
        .end(bomb);
    const before = process.memoryUsage().rss;
    const answer = await gateway.current.post(
      "anthropic/v1/messages",
      JSON.stringify({ messages: said("bomb") }),
      {
        "x-ctxdb-session": "bomb",
      },
    );
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    await answer.body?.cancel();
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * MIB);
    await expect.poll(() => gateway.current.texts("bomb").catch(() => [])).toEqual(["user: bomb"]);
  });

  it("the gateway passes on a stream of 64 MB byte for byte, and does not capture it", async () => {
    const begin = (index: number) =>
      `data: ${JSON.stringify({
        type: "content_block_start",
        index,
        content_block: { type: "tool_use", id: `t${index}`, name: "look", input: { text: "x".repeat(550) } },
      })}\n\n`;
    const sent = createHash("sha256");
    const { answer, text } = await ask(async (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (let index = 0; index < 100_000; index += 100) {
        const piece = Array.from({ length: 100 }, (_, i) => begin(index + i)).join("");
        sent.update(piece);
        if (!response.write(piece)) await once(response, "drain");
      }
      const end = 'data: {"type":"message_stop"}\n\n';
      sent.update(end);
      response.end(end);
    }, "blocks");
    expect(answer.status).toBe(200);
    expect(String(text).length).toBeGreaterThan(64 * MIB);
    expect(createHash("sha256").update(String(text)).digest("hex")).toBe(sent.digest("hex"));
    await expect.poll(() => gateway.current.texts("blocks").catch(() => [])).toEqual(["user: hello"]);
  });

  it.each(["HTTP/1.0 200 OK", "HTTP/1.1 200 OK\r\nconnection: close"])(
    "the gateway passes on a complete response even if the provider then hangs up (%j)",
    async (head) => {
      const body = JSON.stringify(message([{ text: "Fine, noted." }]));
      const { answer, text } = await ask(
        (_, response) => {
          const length = `content-length: ${body.length}`;
          response.socket?.end(`${head}\r\ncontent-type: application/json\r\n${length}\r\n\r\n${body}`);
        },
        `closing-${head.slice(5, 8)}`,
      );
      expect([answer.status, text]).toEqual([200, body]);
    },
  );

  it("the gateway passes on none of the provider's connection headers to its caller", async () => {
    const { answer } = await ask(
      raw(
        "HTTP/1.1 200 OK\r\nconnection: close, x-secret\r\nx-secret: 1\r\nkeep-alive: timeout=9\r\n" +
          "proxy-authenticate: Basic\r\nx-ctxdb-session: forged\r\naccess-control-allow-origin: *\r\n" +
          "strict-transport-security: max-age=1\r\nx-kept: 2\r\ncontent-length: 2\r\n\r\n{}",
      ),
    );
    const names = [...answer.headers.keys()];
    expect(answer.headers.get("x-kept")).toBe("2");
    expect(answer.headers.get("x-ctxdb-session")).toBe("hostile");
    for (const name of [
      "x-secret",
      "proxy-authenticate",
      "access-control-allow-origin",
      "strict-transport-security",
    ])
      expect(names).not.toContain(name);
  });

  it("the gateway aborts a response that its provider resets within an event, without capturing it", async () => {
    const { text } = await ask((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(EVENT, () => setImmediate(() => response.socket?.resetAndDestroy()));
    }, "reset");
    expect(text).toBeInstanceOf(Error);
    await expect.poll(() => gateway.current.texts("reset").catch(() => [])).toEqual(["user: hello"]);
  });
});
