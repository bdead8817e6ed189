import { type WorkspaceId, workspaceId } from "../../domain/ids.ts";
import type { ReadablePlace } from "../group-kv.ts";
import { idKey } from "../key-numbers.ts";
import { rangesOf, workspaceOfKey } from "../key-owner.ts";
import { after, type KvOp, prefixRange } from "../kv.ts";
import { encodeRecord, isNumber, isText, NUMBERS, objects } from "../record-codec.ts";

/** Keys of the copy's own records sort after all others. */
const OWN = "\u{10ffff}";
const PAGE = 1000;

/**
 * Identifies the content of a workspace in the store. Version numbers repeat after a restore of the database:
 * versions with the same number are the same only if one server wrote both in one turn.
 */
export interface Written {
  readonly version: number;
  /** Random id of the turn in which the version was written; "" if the store does not know it. */
  readonly written: string;
}

/** The state of a workspace in the copy. */
export interface Mark extends Written {
  /** Id of the store and its timeline. */
  readonly store: string;
}

const MARKS = objects<Omit<Mark, "written"> & Partial<Mark>>(
  "mark of a copy",
  ({ store, version, written }) =>
    isText(store) && isNumber(version) && (written === undefined || isText(written)),
);

const markOf = (workspace: WorkspaceId): string => `${OWN}v/${idKey(workspace)}`;
/**
 * Directory keys do not contain their workspace; these keys list them by workspace and map each to its owner.
 */
const namesOf = (workspace: WorkspaceId): string => `${OWN}d/${idKey(workspace)}/`;
const ownerOfName = (key: string): string => `${OWN}n/${key}`;

/**
 * This server's copy of the store on local disk, for reads. After a crash or power failure, it contains an
 * earlier but consistent version of each workspace, given by its mark.
 */
export class LocalCopy {
  readonly place: ReadablePlace;

  constructor(place: ReadablePlace) {
    this.place = place;
  }

  /** The version of a workspace in the copy; undefined if there is none from this timeline of the store. */
  stateOf(workspace: WorkspaceId, store: string): Written | undefined {
    const mark = MARKS.read(this.place, markOf(workspace));
    return mark?.store === store ? { version: mark.version, written: mark.written ?? "" } : undefined;
  }

  /**
   * Operations that record the owners of written directory keys and the copy's version (without `mark`: that
   * it is incomplete).
   */
  noteOf(workspace: WorkspaceId, mark: Mark | undefined, named: readonly KvOp[]): KvOp[] {
    const names = named.flatMap(({ key, value }) => [
      { key: `${namesOf(workspace)}${key}`, value: value && encodeRecord(null) },
      { key: ownerOfName(key), value: value && encodeRecord(workspace) },
    ]);
    return [{ key: markOf(workspace), value: mark && encodeRecord(mark) }, ...names];
  }

  /** The workspace that owns a directory key, according to the copy. */
  ownerOf(key: string): WorkspaceId | undefined {
    const owner = NUMBERS.read(this.place, ownerOfName(key));
    return owner === undefined ? undefined : workspaceId(owner);
  }

  /** Workspaces with records in the copy, even from an incomplete load. */
  async workspaces(): Promise<ReadonlySet<WorkspaceId>> {
    const found = new Set<WorkspaceId>();
    for (const { gte, lt } of rangesOf(undefined))
      for (let from = gte; ; ) {
        const [key] = await this.place.keys({ gte: from, lt, limit: 1 });
        const workspace = key === undefined ? undefined : workspaceOfKey(key);
        if (!workspace) break;
        found.add(workspace);
        // after all keys of this workspace: "0" sorts after the slash that follows the number
        from = `${gte}${idKey(workspace)}0`;
      }
    return found;
  }

  /** All keys of a workspace in the copy, in pages. */
  async *keysOf(workspace: WorkspaceId): AsyncGenerator<string[]> {
    const names = namesOf(workspace);
    for await (const page of this.#pages(prefixRange(names)))
      yield page.map((key) => key.slice(names.length));
    if (workspace > 0) for (const range of rangesOf(workspace)) yield* this.#pages(range);
    else
      for await (const page of this.#pages({ gte: "", lt: OWN }))
        yield page.filter((key) => workspaceOfKey(key) === workspace);
  }

  async *#pages({ gte, lt }: { readonly gte: string; readonly lt: string }): AsyncGenerator<string[]> {
    for (let from = gte; ; ) {
      const page = await this.place.keys({ gte: from, lt, limit: PAGE });
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      from = after(last);
    }
  }
}
