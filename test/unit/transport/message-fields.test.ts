import { create, fromBinary, toBinary, type UnknownField } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { describe, expect, it } from "vitest";
import { FindRequestSchema } from "../../../gen/ctxdb/v1/search_pb.ts";
import { AddMessagesRequestSchema, MessagePartSchema } from "../../../gen/ctxdb/v1/session_pb.ts";
import { unknownNumber } from "../../../src/transport/message-fields.ts";

const unknown: UnknownField = { no: 900, wireType: WireType.Varint, data: Buffer.from([1]) };

describe("unknown numbers in a message", () => {
  const request = (part: { $unknown?: UnknownField[] }) => {
    const made = create(MessagePartSchema, { type: "text", text: "a heron" });
    Object.assign(made, part);
    const messages = [{ role: "user", parts: [made] }];
    const bytes = toBinary(
      AddMessagesRequestSchema,
      create(AddMessagesRequestSchema, { sessionId: "s", messages }),
    );
    return fromBinary(AddMessagesRequestSchema, bytes);
  };

  it("unknown field numbers are found at any depth of a message, and none if all are known", () => {
    expect(unknownNumber(AddMessagesRequestSchema, request({}))).toBeUndefined();
    expect(unknownNumber(AddMessagesRequestSchema, request({ $unknown: [unknown] }))).toBe(900);
    const own = create(FindRequestSchema, { query: "x" });
    own.$unknown = [{ ...unknown, no: 901 }];
    expect(unknownNumber(FindRequestSchema, own)).toBe(901);
  });

  it("free JSON in a message is not reported as unknown field numbers", () => {
    const filter = create(FindRequestSchema, {
      query: "x",
      filter: { op: "and", conds: [{ op: "must" }] },
    } as never);
    expect(unknownNumber(FindRequestSchema, filter)).toBeUndefined();
  });
});
