import { ObserverService } from "../../../gen/ctxdb/v1/observer_pb.ts";
import type { ObserverDeps } from "../../service/observer/component.ts";
import { drainMember } from "../../service/observer/drain-member.ts";
import { getHealth } from "../../service/observer/get-health.ts";
import { getQueue } from "../../service/observer/get-queue.ts";
import { getSystem } from "../../service/observer/get-system.ts";
import { getVectordb } from "../../service/observer/get-vectordb.ts";
import { getVlm } from "../../service/observer/get-vlm.ts";
import { type AuditDeps, checkAudit, listAudit } from "../../service/observer/list-audit.ts";
import {
  checkDeadLetters,
  type DeadLetterDeps,
  listDeadLetters,
} from "../../service/observer/list-dead-letters.ts";
import { checkMembers, listMembers, type MembersDeps } from "../../service/observer/list-members.ts";
import { checkMetrics, listMetrics, type MetricsDeps } from "../../service/observer/list-metrics.ts";
import { moveAccount } from "../../service/observer/move-account.ts";
import { retryDeadLetter } from "../../service/observer/retry-dead-letter.ts";
import { type Operation, unary } from "../operation.ts";

const { method } = ObserverService;

export const observerOperations = (
  deps: ObserverDeps & MetricsDeps & MembersDeps & DeadLetterDeps & AuditDeps,
): Operation[] => [
  unary(method.getQueue, (call) => getQueue(deps, call)),
  unary(method.getVectordb, (call) => getVectordb(deps, call)),
  unary(method.getVlm, (call) => getVlm(deps, call)),
  unary(method.getSystem, (call) => getSystem(deps, call)),
  unary(method.listMetrics, (call, request) => listMetrics(deps, call, request), checkMetrics),
  unary(method.listMembers, (call) => listMembers(deps, call), checkMembers),
  unary(method.drainMember, (call, request) => drainMember(deps, call, request), checkMembers),
  unary(method.moveAccount, (call, request) => moveAccount(deps, call, request), checkMembers),
  unary(method.listDeadLetters, (call, request) => listDeadLetters(deps, call, request), checkDeadLetters),
  unary(method.retryDeadLetter, (call, request) => retryDeadLetter(deps, call, request), checkDeadLetters),
  unary(method.listAudit, (call, request) => listAudit(deps, call, request), checkAudit),
  unary(method.getHealth, () => getHealth(deps)),
];
