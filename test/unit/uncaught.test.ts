import { expect, it } from "vitest";
import { uncaughtKind } from "../../src/uncaught.ts";

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

it("an uncaught value that is no error counts as fatal", () => {
  expect(uncaughtKind(undefined, "uncaughtException")).toBe("fatal");
  expect(uncaughtKind("text", "uncaughtException")).toBe("fatal");
});
