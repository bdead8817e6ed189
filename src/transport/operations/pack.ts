import { PackService } from "../../../gen/ctxdb/v1/pack_pb.ts";
import { exportPack } from "../../service/pack/export-pack.ts";
import { importPack, type PackDeps } from "../../service/pack/import-pack.ts";
import { download, type Operation, unary } from "../operation.ts";

const { method } = PackService;

export const packOperations = (deps: PackDeps): Operation[] => [
  download(method.exportPack, (call, request) => exportPack(deps, call, request)),
  unary(method.importPack, (call, request) => importPack(deps, call, request)),
];
