import { expect, it } from "vitest";
import { AnswerLength } from "../../../src/service/answer-length.ts";

it("a response is full when its texts have 16 Mi characters", () => {
  const length = new AnswerLength();
  const text = "x".repeat(1024 * 1024);
  for (let i = 0; i < 7; i++) length.add(text, text);
  length.add(text, text.slice(1));
  expect(length.isFull).toBe(false);
  length.add("x");
  expect(length.isFull).toBe(true);
});
