import { create, fromBinary, toBinary, toJsonString } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GrepResponseSchema } from "../../../gen/ctxdb/v1/search_pb.ts";
import { atOnce } from "../../../src/base/event-loop.ts";
import { JSON_OPTIONS } from "../../../src/transport/rest/envelope.ts";
import { binarySteps, jsonSteps } from "../../../src/transport/rpc/encode.ts";
import { base64Steps } from "../../../src/transport/rpc/grpc.ts";

const answer = (length: number) =>
  create(GrepResponseSchema, {
    matches: Array.from({ length }, (_, i) => ({ uri: `ctx://${i}`, line: i, content: "ü\n" })),
    count: length,
  });

describe("answers of the typed wires", () => {
  it.each([0, 1, 50, 51, 1234])("an answer of %i items has the same bytes in steps as at once", (length) => {
    const message = answer(length);
    const binary = atOnce(binarySteps(GrepResponseSchema, message));
    expect(toBinary(GrepResponseSchema, fromBinary(GrepResponseSchema, binary))).toEqual(
      toBinary(GrepResponseSchema, message),
    );
    const json = Buffer.from(atOnce(jsonSteps(GrepResponseSchema, message))).toString();
    expect(JSON.parse(json)).toEqual(JSON.parse(toJsonString(GrepResponseSchema, message, JSON_OPTIONS)));
  });

  it("an answer of many items is encoded in many steps", () => {
    for (const steps of [binarySteps, jsonSteps])
      expect([...steps(GrepResponseSchema, answer(5000))].length).toBeGreaterThanOrEqual(100);
  });
});

describe("bodies of gRPC-Web in base64", () => {
  const bytes = Buffer.from(Array.from({ length: 700_001 }, (_, i) => (i * 31) % 256));
  const wrapped = bytes.toString("base64").replace(/.{76}/g, "$&\r\n");
  const padded = [bytes.subarray(0, 4), bytes.subarray(4, 500_003), bytes.subarray(500_003)];

  it.each([
    ["in one piece", bytes.toString("base64")],
    ["in lines", wrapped],
    ["in padded pieces", padded.map((piece) => piece.toString("base64")).join("")],
  ])("a base64 body of gRPC-Web %s is decoded in steps", (_, text) => {
    const steps = [...base64Steps(Buffer.from(text))];
    expect(steps.length).toBeGreaterThanOrEqual(3);
    expect(atOnce(base64Steps(Buffer.from(text))).equals(bytes)).toBe(true);
  });
});
