import { expect, it } from "vitest";
import { uncaughtKind } from "../../../src/server/uncaught.ts";

const failure = (code: string) => Object.assign(new Error(code), { code });

it.each([
  ["ERR_HTTP2_INVALID_STREAM", "uncaughtException", "connection"],
  ["ECONNRESET", "unhandledRejection", "connection"],
  ["HPE_INVALID_CONSTANT", "uncaughtException", "connection"],
  ["ENOSPC", "unhandledRejection", "promise"],
  ["ENOSPC", "uncaughtException", "fatal"],
  ["ERR_INVALID_ARG_TYPE", "uncaughtException", "fatal"],
] as const)("an uncaught %s from %s counts as %s", (code, origin, kind) => {
  expect(uncaughtKind(failure(code), origin)).toBe(kind);
});

it.each([
  [
    "transport alone",
    "at cut (file:///opt/ctxdb/dist/src/transport/connections/listen.js:1:1)",
    "connection",
  ],
  [
    "a table in memory",
    "at put (file:///opt/ctxdb/dist/src/workspace/tree/tree.js:1:1)\n at x (file:///opt/ctxdb/dist/src/transport/connections/listen.js:1:1)",
    "fatal",
  ],
  [
    "the channel to a child process",
    "Error: Unable to deserialize\n    at parseChannelMessages (node:internal/child_process/serialization:102:20)\n    at channel.onread (node:internal/child_process:623:18)",
    "connection",
  ],
  [
    "our handler of a child's message",
    "Error: x\n    at pull (file:///opt/ctxdb/dist/src/base/processes/child-process.js:1:1)\n    at emit (node:internal/child_process:950:14)",
    "fatal",
  ],
  [
    "the HTTP client inside Node",
    "AssertionError: x\n    at ok (node:assert:150:12)\n    at Parser.finish (node:internal/deps/undici/undici:7:1)\n    at Socket.emit (node:events:536:35)",
    "connection",
  ],
  ["nothing of ours", "at x (node:internal/timers:1:1)", "fatal"],
] as const)("an uncaught TypeError whose stack names %s counts as %s", (_, stack, kind) => {
  expect(uncaughtKind(Object.assign(new TypeError("x"), { stack }), "uncaughtException")).toBe(kind);
});

it("an uncaught value that is not an error counts as fatal", () => {
  expect(uncaughtKind(undefined, "uncaughtException")).toBe("fatal");
  expect(uncaughtKind("text", "uncaughtException")).toBe("fatal");
});
