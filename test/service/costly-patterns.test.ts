import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findContexts } from "../../src/service/search/find.ts";
import { grep } from "../../src/service/search/grep.ts";
import { type Actor, House } from "../support/tenant.ts";

let house: House;
let ann: Actor;

beforeEach(async () => {
  house = await House.open();
  ann = house.as("ann");
});
afterEach(async () => {
  await house.drain();
  await house.close();
});

const found = async (filter: unknown, targetUris: string[] = []) => {
  const { resources } = await findContexts(house.deps, ann.call, {
    query: "owls",
    targetUris,
    filter,
    limit: 100,
  });
  return resources.map(({ uri }) => uri).sort();
};
const regex = (field: string, pattern: string) => ({ op: "regex", field, pattern });
/** Not compiled on the main thread, and matches everything. */
const UNREAD = "(?:a{0,9}){0,9}(?:b{0,9}){0,9}(?:c{0,9}){0,9}";

describe("costly patterns", () => {
  it("a slow filter pattern selects the same files as an equivalent fast one", async () => {
    const folder = `ctx://resources/${"я".repeat(120)}/${"ж".repeat(120)}`;
    for (const name of ["owl-1.md", "owl-2.md", "bird.md"])
      await ann.create(`${folder}/${name}`, `${name} tells about owls`);
    await house.drain();
    const cheap = { op: "and", conds: [regex("name", "owl"), { op: "range", field: "level", gte: 2 }] };
    const wide = regex("uri", `(?:[яж].{200}|[яж]{3,100}).*owl|${"x".repeat(500)}`);
    const level = { op: "range", field: "level", gte: 2 };
    const started = house.patterns.pool.running;
    const expected = [`${folder}/owl-1.md`, `${folder}/owl-2.md`];
    expect(await found(cheap)).toEqual(expected);
    expect(house.patterns.pool.running).toBe(started);
    expect(await found({ op: "and", conds: [wide, level] })).toEqual(expected);
    expect(await found({ op: "and", conds: [regex("name", UNREAD), regex("name", "owl"), level] })).toEqual(
      expected,
    );
    expect(house.patterns.pool.running).toBe(1);
  });

  it("a malformed slow filter pattern is refused even if the scope is empty", async () => {
    const wrong = regex("name", `${UNREAD}(`);
    for (const targets of [[], ["ctx://resources/nowhere"]])
      await expect(found(wrong, targets)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        details: { field: "filter.pattern", reason: "must be a regular expression in RE2 syntax" },
      });
  });

  it("a slow grep pattern finds the same lines as a fast one, page by page", async () => {
    const line = (i: number) => `${"ab ".repeat(3000)}needle ${i}`;
    const text = Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? line(i) : `short ${i}`)).join("\n");
    await ann.create("ctx://resources/long.md", text);
    await ann.create("ctx://resources/small.md", "a needle 5");
    const lines = async (pattern: string) => {
      const all: string[] = [];
      for (let cursor: string | undefined, page = 0; page < 10; page++) {
        const input = {
          uri: "ctx://resources",
          pattern,
          caseInsensitive: false,
          nodeLimit: 1,
          ...(cursor && { cursor }),
        };
        const { matches, nextCursor } = await grep(house.deps, ann.call, input);
        all.push(...matches.map(({ uri, line, content }) => `${uri} ${line} ${content.slice(0, 8)}`));
        if (nextCursor === undefined) return all;
        cursor = nextCursor;
      }
      throw new Error("too many pages");
    };
    const expected = await lines("needle");
    expect(house.patterns.pool.running).toBe(0);
    expect(expected).toHaveLength(11);
    expect(await lines(`(?:a.{30}|needle) \\d+$`)).toEqual(expected);
    expect(await lines(`${UNREAD}needle`)).toEqual(expected);
    expect(house.patterns.pool.running).toBe(1);
  });
});
