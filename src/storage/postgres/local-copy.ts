import { type WorkspaceId, workspaceId } from "../../domain/ids.ts";
import type { ReadablePlace } from "../group-kv.ts";
import { idKey } from "../key-numbers.ts";
import { rangesOf, workspaceOfKey } from "../key-owner.ts";
import { after, type KvOp, prefixRange } from "../kv.ts";
import { encodeRecord, isNumber, isText, NUMBERS, objects } from "../records.ts";

/** Keys of the copy itself stand behind all others. */
const OWN = "\u{10ffff}";
const PAGE = 1000;

/** Which state of a workspace the copy has. */
export interface Mark {
  /** Of which store, and of which of its pasts. */
  readonly store: string;
  readonly version: number;
}

const MARKS = objects<Mark>("mark of a copy", ({ store, version }) => isText(store) && isNumber(version));

const markOf = (workspace: WorkspaceId): string => `${OWN}v/${idKey(workspace)}`;
/** Keys of the directory do not name their workspace: these list them, and tell whose a key is. */
const namesOf = (workspace: WorkspaceId): string => `${OWN}d/${idKey(workspace)}/`;
const ownerOfName = (key: string): string => `${OWN}n/${key}`;

/**
 * What a server has of a store on its own disk, to read from. After a kill or a power failure it has some
 * earlier, whole version of each workspace, which its mark tells.
 */
export class LocalCopy {
  readonly place: ReadablePlace;

  constructor(place: ReadablePlace) {
    this.place = place;
  }

  /** The version of a workspace that the copy has of this past of the store; undefined if it has none. */
  versionOf(workspace: WorkspaceId, store: string): number | undefined {
    const mark = MARKS.read(this.place, markOf(workspace));
    return mark?.store === store ? mark.version : undefined;
  }

  /**
   * The operations that note a version, or with none that the copy is incomplete, with the keys that are
   * written to the directory.
   */
  noteOf(workspace: WorkspaceId, mark: Mark | undefined, named: readonly KvOp[]): KvOp[] {
    const names = named.flatMap(({ key, value }) => [
      { key: `${namesOf(workspace)}${key}`, value: value && encodeRecord(null) },
      { key: ownerOfName(key), value: value && encodeRecord(workspace) },
    ]);
    return [{ key: markOf(workspace), value: mark && encodeRecord(mark) }, ...names];
  }

  /** Whose a key of the directory is, as far as the copy knows. */
  ownerOf(key: string): WorkspaceId | undefined {
    const owner = NUMBERS.read(this.place, ownerOfName(key));
    return owner === undefined ? undefined : workspaceId(owner);
  }

  /** All keys that the copy has of a workspace. */
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
