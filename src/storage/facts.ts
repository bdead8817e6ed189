import { isObject } from "../base/expect.ts";
import { isNumber, objects, type RecordKind } from "./records.ts";

/** Numbers that are counted together, by name. */
export interface FactTally {
  readonly sums: Readonly<Record<string, number>>;
  /** The highest of several values is kept, as for times. */
  readonly highest: Readonly<Record<string, number>>;
}

const areNumbers = (value: unknown): boolean => isObject(value) && Object.values(value).every(isNumber);

/** The records of tallies. */
export const TALLIES = objects<FactTally>(
  "tally",
  ({ sums, highest }) => areNumbers(sums) && areNumbers(highest),
);

export const NO_TALLY: FactTally = { sums: {}, highest: {} };

/** Facts that hold for all workspaces and servers. */
export interface ServerFacts {
  /** The value of a fact. The first one to settle it decides, permanently; all others get its value. */
  settle<T>(fact: string, kind: RecordKind<T>, value: T): Promise<T>;
  /** Adds to a tally. A power failure may lose what was added in its last seconds. */
  add(fact: string, more: FactTally): Promise<void>;
  /** All that was added to a tally. */
  tally(fact: string): Promise<FactTally>;
}
