import { isObject } from "../../base/expect.ts";
import { type ChangePlace, isTreeChange, type TreeChange } from "../../domain/change.ts";
import type { Author, NodeId } from "../../domain/node.ts";
import { isMissingOr, isNumber, isNumbers, isText, objects } from "../../storage/record-codec.ts";

/** Replaces a change that was removed from the log, because its names must be forgotten. */
export interface TakenOut {
  /** The owner's directory that contained the node; RESOURCES if it was shared. */
  readonly takenOut: NodeId;
}

/** Changes of one commit; the first one has the number in the key. */
export interface ChangeRecord {
  /** Unix time in ms. */
  readonly at: number;
  /** The user for whom it was committed; absent for the server's own work. */
  readonly by?: Author;
  /** `null`: removed, and no caller may learn where it was. */
  readonly changes: readonly (TreeChange | TakenOut | null)[];
}

export const CHANGE_RECORDS = objects<ChangeRecord>(
  "record of changes",
  ({ at, by, changes }) =>
    isNumber(at) &&
    isMissingOr(by, (author) => isText(author) || isNumber(author)) &&
    Array.isArray(changes) &&
    changes.every((change) => change === null || isChange(change) || isTakenOut(change)),
);

const isTakenOut = (value: unknown): boolean => isObject(value) && isNumber(value.takenOut);

const isPlace = (value: unknown): value is ChangePlace =>
  isObject(value) &&
  isText(value.path) &&
  isMissingOr(value.space, isNumber) &&
  isMissingOr(value.folders, isNumbers);

const isChange = (value: unknown): boolean =>
  isObject(value) &&
  isTreeChange(value.kind) &&
  isNumber(value.node) &&
  (value.type === "file" || value.type === "directory") &&
  isPlace(value.at) &&
  isMissingOr(value.from, isPlace) &&
  isMissingOr(value.size, isNumber) &&
  isMissingOr(value.hash, isText) &&
  isMissingOr(value.version, isNumber);
