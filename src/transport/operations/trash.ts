import { TrashService } from "../../../gen/ctxdb/v1/trash_pb.ts";
import type { Cursors } from "../../service/cursors.ts";
import { deleteTrash } from "../../service/trash/delete-trash.ts";
import { emptyTrash } from "../../service/trash/empty-trash.ts";
import { listTrash } from "../../service/trash/list-trash.ts";
import { restoreTrash } from "../../service/trash/restore-trash.ts";
import type { TrashDeps } from "../../service/trash/visible-trash.ts";
import { type Operation, unary } from "../operation.ts";

const { method } = TrashService;

export const trashOperations = (deps: TrashDeps & { readonly cursors: Cursors }): Operation[] => [
  unary(method.listTrash, (call, request) => listTrash(deps, call, request)),
  unary(method.restoreTrash, (call, request) => restoreTrash(deps, call, request)),
  unary(method.deleteTrash, (call, request) => deleteTrash(deps, call, request)),
  unary(method.emptyTrash, (call, request) => emptyTrash(deps, call, request)),
];
