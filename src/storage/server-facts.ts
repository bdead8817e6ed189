import { isObject } from "../base/expect.ts";
import { isNumber, objects, type RecordKind } from "./record-codec.ts";

/** Named totals and maxima, stored together. */
export interface FactTally {
  readonly sums: Readonly<Record<string, number>>;
  /** Maxima of all added values, such as times. */
  readonly highest: Readonly<Record<string, number>>;
}

const areNumbers = (value: unknown): boolean => isObject(value) && Object.values(value).every(isNumber);

export const TALLIES = objects<FactTally>(
  "tally",
  ({ sums, highest }) => areNumbers(sums) && areNumbers(highest),
);

export const NO_TALLY: FactTally = { sums: {}, highest: {} };

/** Facts that apply to all workspaces and servers. */
export interface ServerFacts {
  /** Returns the permanent value of a fact: the first caller's value is stored, all others get it. */
  settle<T>(fact: string, kind: RecordKind<T>, value: T): Promise<T>;
  /** Adds to a tally. A power failure may lose the additions of the last seconds. */
  add(fact: string, more: FactTally): Promise<void>;
  /** The result of everything added to a tally. */
  tally(fact: string): Promise<FactTally>;
}
