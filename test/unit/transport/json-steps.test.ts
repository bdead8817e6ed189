import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atOnce } from "../../../src/base/event-loop.ts";
import { parseSteps } from "../../../src/transport/rest/json-steps.ts";
import { MAX_VALUES } from "../../../src/transport/value-count.ts";

/** Texts that are parsed separately, with everything that a cut must not divide. */
const LONG = fc
  .array(fc.constantFrom("a", '"', "\\", "\n", "\u0000", "ü", "灯", "🦉", "\ud83d", "\\u", "{", ","), {
    minLength: 1,
    maxLength: 20,
  })
  .chain((signs) => fc.constantFrom(1, 40, 30_000).map((times) => signs.join("").repeat(times)));
const KEYS = fc.constantFrom("a", "b", "__proto__", "constructor", "0", "k".repeat(300));
const { value: VALUE } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    LONG,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(KEYS, tie("value")), { maxLength: 4 }).map((members) => new Map(members)),
  ),
}));

/** JSON in which names may repeat and every character may be escaped. */
function written(value: unknown, isEscaped: boolean): string {
  if (value instanceof Map)
    return `{ ${[...value].map(([name, one]) => `${JSON.stringify(name)} :${written(one, isEscaped)}`).join(" , ")}}`;
  if (Array.isArray(value)) return `[${value.map((one) => written(one, isEscaped)).join(",\n")}]`;
  const json = JSON.stringify(value);
  return isEscaped
    ? json.replace(/[^\\"u0-9a-f{},]/g, (sign) =>
        typeof value === "string" ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}` : sign,
      )
    : json;
}

const parsed = (text: string): unknown => atOnce(parseSteps(Buffer.from(text)));
const outcome = (parse: () => unknown): unknown => {
  try {
    return { value: parse() };
  } catch (error) {
    return (error as Error).name;
  }
};

describe("JSON that is parsed in steps", () => {
  it("parsing JSON in steps returns the same value as JSON.parse", () => {
    fc.assert(
      fc.property(VALUE, fc.boolean(), (value, isEscaped) => {
        // lone surrogates are invalid in UTF-8
        const text = written(value, isEscaped).toWellFormed();
        expect(parsed(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 60 },
    );
  });

  it("parsing JSON in steps refuses every text that JSON.parse refuses, wherever it is cut or damaged", () => {
    const text = `{"a":["${"x\\u00e9\\\\y".repeat(40)}",{"b":"${"灯\\n".repeat(60)}"}],"${"n".repeat(200)}":1}`;
    fc.assert(
      fc.property(fc.nat(text.length), fc.constantFrom("", '"', "\\", "\n", "u", "}"), (at, sign) => {
        for (const damaged of [text.slice(0, at) + sign, text.slice(0, at) + sign + text.slice(at + 1)])
          expect(outcome(() => parsed(damaged))).toEqual(outcome(() => JSON.parse(damaged)));
      }),
      { numRuns: 300 },
    );
  });

  it("a string that looks like a placeholder is unchanged by parsing in steps", () => {
    const text = `["${"A".repeat(16)}0","${"x".repeat(500)}"]`;
    expect(parsed(text)).toEqual(JSON.parse(text));
  });

  it("long JSON is parsed in many steps, and one with too many values is not parsed", () => {
    const count = (text: string) => {
      const steps = parseSteps(Buffer.from(text));
      let made = 0;
      while (!steps.next().done) made++;
      return made;
    };
    const content = "line of a text\\n".repeat(1000);
    expect(count(`{"files":[${Array.from({ length: 200 }, () => `"${content}"`).join()}]}`)).toBeGreaterThan(
      20,
    );
    expect(count(`{"content":"${content.repeat(200)}"}`)).toBeGreaterThan(20);
    expect(() => parsed(`[${"0,".repeat(MAX_VALUES)}0]`)).toThrow(/at most/);
  });
});
