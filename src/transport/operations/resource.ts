import { ResourceService } from "../../../gen/ctxdb/v1/resource_pb.ts";
import type { ImportDeps } from "../../service/import-deps.ts";
import { addResource } from "../../service/resource/add-resource.ts";
import { refreshResource } from "../../service/resource/refresh-resource.ts";
import { type UploadDeps, uploadFile } from "../../service/resource/upload-file.ts";
import { type Operation, unary, uploadOperation } from "../operation.ts";

const { method } = ResourceService;

export const resourceOperations = (deps: ImportDeps & UploadDeps): Operation[] => [
  unary(method.addResource, (call, request) => addResource(deps, call, request)),
  unary(method.refreshResource, (call, request) => refreshResource(deps, call, request)),
  uploadOperation(method.uploadFile, (call, file) => uploadFile(deps, call, file)),
];
