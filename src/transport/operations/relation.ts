import { RelationService } from "../../../gen/ctxdb/v1/relation_pb.ts";
import { linkNodes } from "../../service/relation/link-nodes.ts";
import { listRelations } from "../../service/relation/list-relations.ts";
import { unlinkNodes } from "../../service/relation/unlink-nodes.ts";
import type { Tenants } from "../../service/tenants.ts";
import { textsOf } from "../message-fields.ts";
import { type Operation, unary } from "../operation.ts";

const { method } = RelationService;

export const relationOperations = (deps: { tenants: Tenants }): Operation[] => [
  unary(method.linkNodes, (call, request) => {
    const toUris = [...(request.toUri === undefined ? [] : [request.toUri]), ...textsOf(request.toUris)];
    return linkNodes(deps, call, { ...request, toUris });
  }),
  unary(method.unlinkNodes, (call, request) => unlinkNodes(deps, call, request)),
  unary(method.listRelations, async (call, request) => ({
    relations: await listRelations(deps, call, request),
  })),
];
