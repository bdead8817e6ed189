import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../../src/domain/errors.ts";
import { type IfCondition, type IfList, parseIf } from "../../../../src/transport/dav/if-header.ts";

const token = (value: string, isNegated = false): IfCondition => ({ isNegated, kind: "token", value });
const etag = (value: string, isNegated = false): IfCondition => ({ isNegated, kind: "etag", value });

const written = (lists: readonly IfList[], space: string): string => {
  let resource: string | undefined;
  return lists
    .map((list) => {
      const tag =
        list.resource === undefined || list.resource === resource ? "" : `<${list.resource}>${space}`;
      resource = list.resource;
      const conditions = list.conditions.map(
        ({ isNegated, kind, value }) =>
          (isNegated ? "Not " : "") +
          (kind === "token"
            ? `<${value}>`
            : `[${value.startsWith("W/") ? "W/" : ""}"${value.replace("W/", "")}"]`),
      );
      return `${tag}(${conditions.join(space)})`;
    })
    .join(space);
};

describe("an If header", () => {
  it.each<[string, IfList[]]>([
    ["(<urn:a>)", [{ resource: undefined, conditions: [token("urn:a")] }]],
    [
      '(<urn:a> ["tag"]) (Not <DAV:no-lock>)',
      [
        { resource: undefined, conditions: [token("urn:a"), etag("tag")] },
        { resource: undefined, conditions: [token("DAV:no-lock", true)] },
      ],
    ],
    [
      '<http://h/dav/a> (<urn:a>)([W/"weak"])\t</dav/b>(not["x"])',
      [
        { resource: "http://h/dav/a", conditions: [token("urn:a")] },
        { resource: "http://h/dav/a", conditions: [etag("W/weak")] },
        { resource: "/dav/b", conditions: [etag("x", true)] },
      ],
    ],
  ])("the If header %s is parsed by RFC 4918", (header, lists) => {
    expect(parseIf(header)).toEqual(lists);
  });

  it.each([
    "",
    "   ",
    "()",
    "(",
    ")",
    "(<urn:a>",
    "(<urn:a)",
    "<urn:a>",
    "<http://h/a> <http://h/b> (<urn:a>)",
    "(<urn:a>) <http://h/a> (<urn:b>)",
    "(<>)",
    "(<a b>)",
    "([tag])",
    '(["a)',
    "(Not)",
    "(Not Not <urn:a>)",
    "(<urn:a>) x",
    `(${"<a>".repeat(65)})`,
    "(<a>)".repeat(65),
    `(<${"a".repeat(8192)}>)`,
  ])("the malformed If header %s is refused", (header) => {
    expect(() => parseIf(header)).toThrow(ServiceError);
  });

  it("an If header is parsed into its parts, with any spacing", () => {
    const value = fc.stringMatching(/^[a-z0-9:/-]{1,20}$/);
    const condition = fc.record({
      isNegated: fc.boolean(),
      kind: fc.constantFrom("token" as const, "etag" as const),
      value,
    });
    const conditions = fc.array(condition, { minLength: 1, maxLength: 5 });
    const tagged = fc.array(fc.record({ resource: value, conditions }), { minLength: 1, maxLength: 5 });
    const untagged = fc.array(fc.record({ resource: fc.constant(undefined), conditions }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.oneof(tagged, untagged), fc.constantFrom(" ", "\t", "  "), (lists, space) => {
        expect(parseIf(written(lists, space))).toEqual(lists);
      }),
    );
  });

  it("any text in an If header is parsed or refused", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'()<>[]"W/Not ab\t') }), (header) => {
        try {
          expect(parseIf(header).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
      }),
    );
  });
});
