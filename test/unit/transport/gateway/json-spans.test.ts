import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  inString,
  type JsonSpan,
  JsonText,
  spliced,
  UnreadableJson,
} from "../../../../src/transport/gateway/json-spans.ts";

/** A value as seen by the scanner, down to the last member. */
function seen(json: JsonText, span: JsonSpan): unknown {
  if (json.isObject(span))
    return Object.fromEntries([...json.members(span)].map(([name, value]) => [name, seen(json, value)]));
  if (json.isList(span)) return json.items(span).map((item) => seen(json, item));
  return json.string(span) ?? json.value(span);
}

const scanned = (text: string): unknown => {
  const json = new JsonText(Buffer.from(text));
  return seen(json, json.root());
};

/** JSON in all its notations: white space, escapes, numbers beyond the range of a double. */
const spelled = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(
      "true",
      "false",
      "null",
      "0",
      "-1.5e+7",
      "12345678901234567890",
      '"\\u0022\\\\"',
      '"\\\\\\""',
    ),
    fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => JSON.stringify(text)),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => `[ ${items.join(" ,\n")} ]`),
    fc
      .array(fc.tuple(fc.string({ maxLength: 3 }), tie("value")), { maxLength: 4 })
      .map(
        (members) => `{\t${members.map(([name, value]) => `${JSON.stringify(name)} :${value}`).join(",")}}`,
      ),
  ),
})).value;

describe("JsonText", () => {
  it("JsonText reads what JSON.parse reads, including duplicate names and escapes", () => {
    fc.assert(
      fc.property(spelled, (text) => {
        // JavaScript objects treat a member of this name specially
        fc.pre(!text.includes("__proto__"));
        expect(scanned(` ${text}\r\n`)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it("JsonText accepts nothing that JSON.parse rejects", () => {
    fc.assert(
      fc.property(spelled, fc.nat(), fc.constantFrom("", "]", "}", '"', "\\", ","), (text, at, put) => {
        const cut = text.slice(0, at % (text.length + 1)) + put;
        try {
          scanned(cut);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableJson);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("JsonText stops at values that are too deep, too long or too many, without recursion", () => {
    const deep = 200_000;
    expect(scanned(`{"a":1,"b":${"[".repeat(3)}${"]".repeat(3)}}`)).toEqual({ a: 1, b: [[[]]] });
    const json = new JsonText(Buffer.from(`{"a":${"[".repeat(deep)}${"]".repeat(deep)}}`));
    expect(json.members(json.root()).size).toBe(1);
    for (const text of [
      `[${"1,".repeat(6000)}1]`,
      `[${"[],".repeat(2_000_000)}1]`,
      `"${'\\"'.repeat(4_100_000)}"`,
      `"${"\\".repeat(4_100_000)}"`,
      "[".repeat(1000),
      '"open',
      "",
    ])
      expect(() => scanned(text)).toThrow(UnreadableJson);
  });

  it("JsonText leaves a large string undecoded and returns its bytes", () => {
    const large = "x".repeat(2 * 1024 * 1024);
    const json = new JsonText(Buffer.from(JSON.stringify({ large })));
    const span = json.members(json.root()).get("large");
    expect(json.string(span)).toBeUndefined();
    expect(json.raw(span).length).toBe(large.length);
  });
});

describe("insertions", () => {
  it("insertions into JSON leave every other byte unchanged", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 50 }), fc.array(fc.nat(50)), (bytes, found) => {
        const body = Buffer.from(bytes);
        const places = found.map((at) => at % (body.length + 1)).sort((one, other) => one - other);
        const insertions = places.map((at) => ({ at, text: "<>" }));
        const made = spliced(body, insertions);
        expect(made.length).toBe(body.length + 2 * places.length);
        const ordered = insertions.map(({ at }, i) => at + 2 * i).reverse();
        let left = made.toString("latin1");
        for (const at of ordered) left = left.slice(0, at) + left.slice(at + 2);
        expect(left).toBe(body.toString("latin1"));
      }),
    );
  });

  it("inserted text stays inside its JSON string, whatever it contains", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(JSON.parse(`"${inString(text)}b"`)).toBe(`${text}b`);
      }),
    );
  });
});
