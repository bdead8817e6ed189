import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { describe, expect, it } from "vitest";
import { FindRequestSchema } from "../../../gen/ctxdb/v1/search_pb.ts";
import { AddMessageRequestSchema } from "../../../gen/ctxdb/v1/session_pb.ts";
import { ServiceError } from "../../../src/domain/errors.ts";
import { checkFields, checkJsonValues, MAX_VALUES } from "../../../src/transport/value-count.ts";

function refusal(check: () => void): unknown {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.details?.field;
  }
}

const ofJson = (text: string) => refusal(() => checkJsonValues(Buffer.from(text)));
const ofMessage = (bytes: Uint8Array) => refusal(() => checkFields(FindRequestSchema, bytes));
const many = (unit: string) => unit.repeat(MAX_VALUES + 1);

describe("JSON of too many values", () => {
  it.each([
    ["empty arrays", `{"x":[${many("[],")}0]}`],
    ["arrays in each other", `{"x":${many("[")}`],
    ["objects", `{"x":[${many("{},")}0]}`],
    ["numbers", `[${many("0,")}0]`],
    ["names", `{${many('"a":0,')}"b":0}`],
    ["texts with quotes in them", `[${many('"\\\\\\"",')}0]`],
  ])("JSON with too many values is refused before it is parsed: %s", (_, text) => {
    expect(ofJson(text)).toBe("body");
  });

  it.each([
    ["commas and brackets in a text", `{"x":"${many(",[{:")}"}`],
    ["escaped quotes in a text", `{"x":"${many('\\"')}"}`],
    ["escaped signs before the end of a text", `{"x":"${many(",")}\\\\","y":"${many(",")}"}`],
    ["as many values as may be", `[${"0,".repeat(MAX_VALUES - 1)}0]`],
    ["white space", `{"x":1}${many(" ")}`],
  ])("JSON with %s does not count as too many values", (_, text) => {
    JSON.parse(text);
    expect(ofJson(text)).toBeUndefined();
  });
});

/** A message with one text field per value; the schema may or may not know the fields. */
function texts(field: number, count: number): Uint8Array {
  const writer = new BinaryWriter();
  for (let i = 0; i < count; i++) writer.tag(field, WireType.LengthDelimited).string("");
  return writer.finish();
}

/** A field with the encoded content. */
const within = (field: number, bytes: Uint8Array): Uint8Array =>
  new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(bytes).finish();

describe("an encoded message of too many fields", () => {
  const [target, filter] = ["target_uri", "filter"].map(
    (name) => FindRequestSchema.fields.find((field) => field.name === name)!.number,
  ) as [number, number];
  /** google.protobuf.Value: a list; google.protobuf.ListValue: its values. */
  const list = (values: Uint8Array) => within(6, values);

  it.each([
    ["of the message", texts(1, MAX_VALUES + 1)],
    ["that the schema does not know", texts(99, MAX_VALUES + 1)],
    ["of a message in it", within(target, list(texts(1, MAX_VALUES + 1)))],
    [
      "of messages in it together",
      Buffer.concat(Array.from({ length: 20 }, () => within(target, list(texts(1, MAX_VALUES / 20))))),
    ],
    ["of a map", within(filter, texts(1, MAX_VALUES + 1))],
    [
      "of the values of a map",
      within(
        filter,
        within(1, Buffer.concat([within(1, Buffer.from("a")), within(2, list(texts(1, MAX_VALUES)))])),
      ),
    ],
    [
      "of a group",
      Buffer.concat([
        new BinaryWriter().tag(99, WireType.StartGroup).finish(),
        texts(1, MAX_VALUES),
        new BinaryWriter().tag(99, WireType.EndGroup).finish(),
      ]),
    ],
  ])("an encoded message with too many fields is refused before it is decoded: %s", (_, bytes) => {
    expect(ofMessage(bytes)).toBe("request");
  });

  it("an encoded message with a long text does not count as too many fields", () => {
    const message = create(AddMessageRequestSchema, {
      sessionId: "s",
      role: "user",
      content: Buffer.from(texts(1, MAX_VALUES + 1)).toString("latin1"),
    });
    const bytes = toBinary(AddMessageRequestSchema, message);
    expect(refusal(() => checkFields(AddMessageRequestSchema, bytes))).toBeUndefined();
  });

  it("a malformed encoded message is left to the decoder", () => {
    expect(ofMessage(Buffer.alloc(3 * MAX_VALUES, 0xff))).toBeUndefined();
  });
});
