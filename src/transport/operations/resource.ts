import { ResourceService } from "../../../gen/ctxdb/v1/resource_pb.ts";
import { addResource } from "../../service/resource/add-resource.ts";
import { deleteRefreshSchedule } from "../../service/resource/delete-refresh-schedule.ts";
import { listRefreshSchedules } from "../../service/resource/list-refresh-schedules.ts";
import type { ScheduleDeps } from "../../service/resource/own-schedule.ts";
import { refreshResource } from "../../service/resource/refresh-resource.ts";
import { runRefreshSchedule } from "../../service/resource/run-refresh-schedule.ts";
import { scheduleRefresh } from "../../service/resource/schedule-refresh.ts";
import { type UploadDeps, uploadFile } from "../../service/resource/upload-file.ts";
import type { ImportDeps } from "../../service/run-import.ts";
import { type Operation, unary, uploadOperation } from "../operation.ts";

const { method } = ResourceService;

export const resourceOperations = (deps: ImportDeps & UploadDeps & ScheduleDeps): Operation[] => [
  unary(method.addResource, (call, request) => addResource(deps, call, request)),
  unary(method.refreshResource, (call, request) => refreshResource(deps, call, request)),
  unary(method.scheduleRefresh, (call, request) => scheduleRefresh(deps, call, request)),
  unary(method.listRefreshSchedules, (call, request) => listRefreshSchedules(deps, call, request)),
  unary(method.runRefreshSchedule, (call, request) => runRefreshSchedule(deps, call, request)),
  unary(method.deleteRefreshSchedule, (call, request) => deleteRefreshSchedule(deps, call, request)),
  uploadOperation(method.uploadFile, (call, file) => uploadFile(deps, call, file)),
];
