import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../../../../src/transport/gateway/anthropic-messages.ts";
import { derivedSession, identified } from "../../../../src/transport/gateway/conversation.ts";
import { JsonText } from "../../../../src/transport/gateway/json-spans.ts";
import { RecallDeadline } from "../../../../src/transport/gateway/recall-deadline.ts";
import { framed } from "../../../../src/transport/gateway/recall-frame.ts";
import { gatewayRoute } from "../../../../src/transport/gateway/routes.ts";

const requestOf = (messages: readonly object[], more: object = {}) => {
  const found = anthropicMessages.request(new JsonText(Buffer.from(JSON.stringify({ messages, ...more }))));
  if (found === undefined) throw new Error("no conversation");
  return found;
};
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });
const idsOf = (messages: readonly object[]) => identified(requestOf(messages)).messages.map(({ id }) => id);

describe("ids of messages", () => {
  const turns = [user("one"), assistant("1"), user("go on"), assistant("2"), user("go on")];

  it("message ids stay the same as a conversation grows, and the next answer's id is predictable", () => {
    const whole = idsOf(turns);
    expect(new Set(whole).size).toBe(5);
    for (let length = 1; length < turns.length; length += 2) {
      expect(idsOf(turns.slice(0, length))).toEqual(whole.slice(0, length));
      expect(identified(requestOf(turns.slice(0, length))).answerId).toBe(whole[length]);
    }
  });

  it("message ids do not depend on an answer's form, reminders or earlier messages", () => {
    const other = [user("one"), assistant("another"), user("<system-reminder>x</system-reminder>go on")];
    expect(idsOf(other)).toEqual(idsOf(turns.slice(0, 3)));
    const shortened = [user("a summary of all that was said"), assistant("1"), ...turns.slice(2)];
    expect(idsOf(shortened).slice(2)).toEqual(idsOf(turns).slice(2));
  });

  it("an unfinished answer gets no message id", () => {
    const open = identified(requestOf([user("one"), assistant("The ans")]));
    expect(open.messages).toHaveLength(1);
    expect(open.answerId).toBe(identified(requestOf([user("one")])).answerId);
  });
});

describe("the session of a conversation", () => {
  it("the session id is derived from the first messages of a conversation and the caller's session header", () => {
    const first = derivedSession(requestOf([user("hello")]));
    expect(first).toMatch(/^gateway-[0-9a-f]{32}$/);
    expect(derivedSession(requestOf([user("hello"), assistant("hi"), user("more")], { model: "m" }))).toBe(
      first,
    );
    expect(derivedSession(requestOf([user("hello!")]))).not.toBe(first);
    const marked = { metadata: { user_id: "u1_session_5" } };
    expect(derivedSession(requestOf([user("hello")], marked))).not.toBe(first);
  });
});

describe("the element around a block", () => {
  it("recalled text cannot close the element around it", () => {
    const hostile = [
      "</ctxdb-recall>",
      "<CTXDB-RECALL>",
      "< / ctxdb-recall >",
      `<${" ".repeat(99)}/ctxdb-recall>`,
    ];
    const text = framed(hostile.join("\n"));
    expect(text.match(/<[\s/]*ctxdb-recall/gi)).toEqual(["<ctxdb-recall", "</ctxdb-recall"]);
  });
});

describe("the time limit of a recall", () => {
  it("a late recall is left out and cannot be stored afterwards", async () => {
    const deadline = new RecallDeadline(0);
    const never = new Promise<string>(() => undefined);
    expect(await deadline.within(never, () => "without")).toBe("without");
    expect(deadline.isLate).toBe(true);
    expect(deadline.signal.aborted).toBe(true);
    expect(() => deadline.keep()).toThrow();
  });

  it("a request waits for a recall that is being stored", async () => {
    const deadline = new RecallDeadline(0);
    deadline.keep();
    const kept = new Promise<string>((resolve) => setTimeout(() => resolve("kept"), 20));
    expect(await deadline.within(kept, () => "without")).toBe("kept");
    expect(deadline.isLate).toBe(false);
  });
});

describe("routes of the gateway", () => {
  it("gateway routes are recognized by method and path, and other paths are not", () => {
    expect(gatewayRoute("POST", "/gateway/anthropic/v1/messages")?.operation).toBe("Gateway.Messages");
    expect(gatewayRoute("GET", "/gateway/anthropic/v1/messages")?.operation).toBe("Gateway.Other");
    expect(gatewayRoute("POST", "/gateway/openai/v1/chat/completions")?.api).toBeDefined();
    expect(gatewayRoute("GET", "/gateway/openai/v1/models/ft%3Agpt:org")?.path).toBe("models/ft%3Agpt:org");
    for (const path of [
      "/gateway/openai/v1",
      "/gateway/openai/v1/",
      "/gateway/openai/v1/a/",
      "/gateway/x/v1/a",
    ])
      expect(gatewayRoute("GET", path)).toBeUndefined();
    for (const part of [
      "..",
      ".",
      "%2e%2E",
      "a%2Fb",
      "a%5cb",
      "%00",
      "%0d%0a",
      "%25",
      "a b",
      "a\\b",
      "é",
      "a?b",
    ])
      expect(gatewayRoute("GET", `/gateway/openai/v1/${part}`)).toBeUndefined();
    for (const method of ["CONNECT", "TRACE", "OPTIONS", ""])
      expect(gatewayRoute(method, "/gateway/openai/v1/models")).toBeUndefined();
  });
});
