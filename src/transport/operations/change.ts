import { ChangeService } from "../../../gen/ctxdb/v1/change_pb.ts";
import { listChanges } from "../../service/change/list-changes.ts";
import { type ChangeDeps, watchChanges } from "../../service/change/watch-changes.ts";
import { feed, type Operation, unary } from "../operation.ts";

const { method } = ChangeService;

export const changeOperations = (deps: ChangeDeps): Operation[] => [
  feed(method.watchChanges, (call, request) => watchChanges(deps, call, request)),
  unary(method.listChanges, (call, request) => listChanges(deps, call, request)),
];
