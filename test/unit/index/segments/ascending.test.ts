import fc from "fast-check";
import { expect, it } from "vitest";
import { placeIn } from "../../../../src/index/segments/ascending.ts";

/** Number sequences with even and uneven steps. */
const columns = fc
  .array(fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 2 ** 24 })), { maxLength: 60 })
  .map((steps) => steps.map((_, i) => steps.slice(0, i + 1).reduce((sum, step) => sum + step, 0)));

it("placeIn finds the numbers of an ascending column and no others", () => {
  fc.assert(
    fc.property(columns, fc.integer({ min: 0, max: 2 ** 25 }), (numbers, other) => {
      const column = Uint32Array.from(numbers);
      for (const [place, number] of numbers.entries()) {
        expect(placeIn(column, number)).toBe(place);
        expect(placeIn(column, number - 1)).toBe(numbers.indexOf(number - 1));
        expect(placeIn(column, number + 1)).toBe(numbers.indexOf(number + 1));
      }
      expect(placeIn(column, other)).toBe(numbers.indexOf(other));
    }),
  );
});
