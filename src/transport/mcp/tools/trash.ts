import { z } from "zod";
import { TrashService } from "../../../../gen/ctxdb/v1/trash_pb.ts";
import { dataTool, type Tool } from "../tool.ts";
import { cursorArgument, uriArgument } from "./arguments.ts";

const trash = dataTool({
  name: "trash",
  title: "List the trash, or undo a deletion",
  description:
    "Lists what was deleted, replaced or taken out by an import, newest first, or puts an item back with restore. " +
    "If its place is taken it gets a free name beside it.",
  effect: "adds",
  input: {
    restore: z
      .string()
      .min(1)
      .optional()
      .describe("Id of an item to put back, from remove or from this list."),
    to: uriArgument("With restore: another place for it").optional(),
    limit: z.int().min(1).max(100).default(20).describe("Maximum number of items."),
    cursor: cursorArgument,
  },
  output: {
    items: z.array(
      z.object({
        trash_id: z.string(),
        uri: z.string(),
        type: z.string(),
        cause: z.string(),
        removed_at: z.string(),
        nodes: z.int(),
        user_id: z.string().optional(),
      }),
    ),
    total: z.int().describe("Number of all items in the trash."),
    restored: z.string().optional().describe("With restore: the URI that the item has now."),
    next_cursor: z.string().optional(),
  },
  run: async (asker, { restore, to, limit, cursor }) => {
    if (restore !== undefined) {
      const asked = { trashId: restore, ...(to !== undefined && { toUri: to }) };
      const { uri, restored, renamed } = await asker.ask(TrashService.method.restoreTrash, asked);
      const { total } = await asker.ask(TrashService.method.listTrash, { limit: 1 });
      const note = renamed ? " Something got another name, because its place was taken." : "";
      return {
        text: `Restored ${uri}: ${restored} nodes.${note}`,
        data: { items: [], total, restored: uri },
        links: [{ uri, description: "" }],
      };
    }
    const page = await asker.ask(TrashService.method.listTrash, { limit, ...(cursor && { cursor }) });
    const items = page.items.map(({ trashId, uri, type, cause, removedAt, nodes, userId }) => ({
      trash_id: trashId,
      uri,
      type,
      cause,
      removed_at: removedAt,
      nodes,
      ...(userId !== undefined && { user_id: userId }),
    }));
    const lines = items.map(
      (one) =>
        `${one.trash_id}\t${one.uri}\t${one.cause}\t${one.removed_at}\t${one.nodes} nodes\t${one.user_id ?? "-"}`,
    );
    const next = page.nextCursor;
    if (next !== undefined) lines.push(`[${page.total} items; continue with cursor ${next}]`);
    return {
      text: lines.join("\n") || "[the trash is empty]",
      data: { items, total: page.total, ...(next !== undefined && { next_cursor: next }) },
    };
  },
});

export const trashTools: readonly Tool[] = [trash];
