import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/domain/errors.ts";
import {
  type FilterSubject,
  MAX_FILTER_CONDITIONS,
  MAX_FILTER_DEPTH,
  matches,
  parseFilter,
} from "../../../src/domain/filter.ts";

const ramen: FilterSubject = {
  uri: "ctx://resources/cooking/ramen.md",
  context_type: "resource",
  level: 2,
  name: "ramen.md",
  category: "",
  tags: ["food", "japan"],
  created_at: Date.parse("2024-05-01T12:00:00Z"),
  updated_at: Date.parse("2024-05-02T00:00:00Z"),
  active_count: 3,
  mime: "text/markdown",
};

const holds = (filter: unknown, subject = ramen) => matches(parseFilter(filter), subject);

function refusal(filter: unknown): unknown {
  try {
    parseFilter(filter);
  } catch (error) {
    return error instanceof ServiceError && error.code === "INVALID_ARGUMENT" ? error.details?.field : error;
  }
  return "accepted";
}

describe("filters that hold and filters that do not", () => {
  it.each([
    [{}, true],
    [{ level: 2 }, true],
    [{ level: [0, 1] }, false],
    [{ level: [] }, false],
    [{ level: 2, name: "ramen.md" }, true],
    [{ level: 0, name: "ramen.md" }, false],
    [{ uri: "ctx://resources/cooking" }, false],
    [{ uri: "ctx://resources/cooking/ramen.md" }, true],
    [{ tags: "japan" }, true],
    [{ tags: ["china", "food"] }, true],
    [{ created_at: "2024-05-01T14:00:00+02:00" }, true],
    [{ op: "must", field: "name", conds: ["ramen.md", "mars.md"] }, true],
    [{ op: "must_not", field: "level", conds: [0, 1] }, true],
    [{ op: "must_not", field: "tags", conds: ["food"] }, false],
    [{ op: "range", field: "level", gt: 0, lt: 2 }, false],
    [{ op: "range", field: "active_count", gte: 3, lte: 3 }, true],
    [{ op: "range", field: "updated_at", lt: "2024-05-02T00:00:00Z" }, false],
    [{ op: "time_range", field: "updated_at", gte: "2024-05-02" }, true],
    [
      { op: "time_range", field: "created_at", gte: "2024-05-01T12:00:00", lt: "2024-05-01T12:00:00.001" },
      true,
    ],
    [{ op: "and", conds: [{ level: 2 }, { op: "must", field: "name", conds: ["mars.md"] }] }, false],
    [{ op: "or", conds: [{ name: "mars.md" }, { name: "ramen.md" }] }, true],
    [{ op: "or", conds: [] }, false],
    [{ op: "not", conds: [{ name: "mars.md" }, { name: "ramen.md" }] }, false],
    [{ op: "not", conds: [{ name: "mars.md" }, { level: 1 }] }, true],
    [{ op: "prefix", field: "uri", prefix: "ctx://resources/cooking/" }, true],
    [{ op: "prefix", field: "uri", value: "resources" }, false],
    [{ op: "contains", field: "tags", substring: "apa" }, true],
    [{ op: "contains", field: "name", value: "moon" }, false],
    [{ op: "regex", field: "name", pattern: "^ram.*md$" }, true],
    [{ op: "regex", field: "name", value: "(?i)RAMEN" }, true],
    [{ op: "regex", field: "name", pattern: "^amen" }, false],
  ])("the filter %j matches: %s", (filter, expected) => {
    expect(holds(filter)).toBe(expected);
  });

  it("a filter compares Unicode-normalized text", () => {
    expect(holds({ name: "gru\u0308n.md" }, { ...ramen, name: "gr\u00fcn.md" })).toBe(true);
  });

  it("a filter reads only the fields it names", () => {
    const guarded = new Proxy(ramen, {
      get: (target, key) => {
        if (key !== "name") throw new Error(`read ${String(key)}`);
        return target.name;
      },
    });
    expect(holds({ op: "or", conds: [{ name: "ramen.md" }, { level: 2 }] }, guarded)).toBe(true);
  });
});

describe("refused filters", () => {
  it.each([
    ["x", "filter"],
    [[], "filter"],
    [null, "filter"],
    [{ op: "explode", conds: [] }, "filter.op"],
    [{ op: null }, "filter.op"],
    [{ op: ["and"], conds: [] }, "filter.op"],
    [{ no_such_field: 1 }, "filter.no_such_field"],
    [{ account_id: "other" }, "filter.account_id"],
    [JSON.parse('{"__proto__": 1}'), "filter.__proto__"],
    [{ constructor: 1 }, "filter.constructor"],
    [{ level: "2" }, "filter.level"],
    [{ level: null }, "filter.level"],
    [{ name: { a: 1 } }, "filter.name"],
    [{ op: "range", field: "no_such_field", gt: 1 }, "filter.field"],
    [{ op: "range", field: "level" }, "filter"],
    [{ op: "range", field: "name", gt: 1 }, "filter.field"],
    [{ op: "range", field: "level", gt: "1" }, "filter.gt"],
    [{ op: "range", field: "level", above: 1 }, "filter.above"],
    [{ op: "must", conds: ["x"] }, "filter.field"],
    [{ op: "must", field: "name", conds: { a: 1 } }, "filter.conds"],
    [{ op: "and", conds: "x" }, "filter.conds"],
    [{ op: "and", conds: [{ level: 2 }, { op: "or", conds: [7] }] }, "filter.conds[1].conds[0]"],
    [{ op: "and", conds: [], level: 2 }, "filter.level"],
    [{ op: "prefix", field: "level", prefix: "2" }, "filter.field"],
    [{ op: "prefix", field: "uri" }, "filter.prefix"],
    [{ op: "contains", field: "name", substring: "a", value: "b" }, "filter.value"],
    [{ op: "regex", field: "name", pattern: "(" }, "filter.pattern"],
    [{ op: "regex", field: "name", pattern: "(?=a)b" }, "filter.pattern"],
    [{ op: "regex", field: "name", pattern: "(a?){900}a{900}" }, "filter.pattern"],
    [{ op: "time_range", field: "created_at", gte: "yesterday" }, "filter.gte"],
    [{ op: "time_range", field: "created_at", gte: "2024-13-45T00:00:00Z" }, "filter.gte"],
    [{ op: "time_range", field: "level", gte: "2024-01-01" }, "filter.field"],
    [{ name: "x".repeat(4097) }, "filter.name"],
  ])("the filter %j is refused at %s", (filter, field) => {
    expect(refusal(filter)).toBe(field);
  });

  it("a filter has a limited depth and number of conditions", () => {
    const nested = (depth: number): unknown =>
      depth === 1 ? { level: 2 } : { op: "and", conds: [nested(depth - 1)] };
    expect(refusal(nested(MAX_FILTER_DEPTH))).toBe("accepted");
    expect(refusal(nested(MAX_FILTER_DEPTH + 1))).not.toBe("accepted");
    expect(refusal({ level: Array(MAX_FILTER_CONDITIONS - 1).fill(1) })).toBe("accepted");
    expect(refusal({ level: Array(MAX_FILTER_CONDITIONS).fill(1) })).toBe("filter.level");
    expect(refusal({ op: "or", conds: Array(MAX_FILTER_CONDITIONS).fill({}) })).not.toBe("accepted");
  });

  it("all patterns of a filter share one size limit", () => {
    const one = { op: "regex", field: "name", pattern: "a{300}" };
    expect(refusal({ op: "or", conds: [one, one, one] })).toBe("accepted");
    expect(refusal({ op: "or", conds: [one, one, one, one] })).toBe("filter.conds[3].pattern");
  });
});
