import type { WorkspaceId } from "../../domain/ids.ts";
import { idKey } from "../key-numbers.ts";
import { type Kv, type KvOp, pairPages, prefixRange } from "../kv.ts";
import type { Migration } from "../migration.ts";
import { isNumber, objects } from "../record-codec.ts";

const UPLOADS = "f/";
const PAGE = 1000;

const UPLOADED = objects<{ readonly incarnation: WorkspaceId }>("upload", ({ incarnation }) =>
  isNumber(incarnation),
);

/** Format 4: upload records are grouped by workspace, `f/<ws>/<upload>` instead of `f/<upload>`. */
export const UPLOADS_BY_WORKSPACE: Migration = {
  what: "sorts the uploads by account",
  run: async ({ kv }) => {
    for await (const page of pairPages(kv, prefixRange(UPLOADS, PAGE)))
      for (const [key, value] of page) {
        const id = key.slice(UPLOADS.length);
        if (id.includes("/")) continue;
        const { incarnation } = UPLOADED.decode(value, key);
        await write(kv, { key: `${UPLOADS}${idKey(incarnation)}/${id}`, value });
        await write(kv, { key, value: undefined });
      }
  },
};

const write = (kv: Kv, op: KvOp) => kv.transact(() => ({ ops: [op], apply: () => undefined }));
