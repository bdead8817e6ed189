import { createRegistry, isMessage, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import { file_ctxdb_v1_access } from "../../clients/typescript/src/gen/ctxdb/v1/access_pb.ts";
import { file_ctxdb_v1_account } from "../../clients/typescript/src/gen/ctxdb/v1/account_pb.ts";
import { file_ctxdb_v1_change } from "../../clients/typescript/src/gen/ctxdb/v1/change_pb.ts";
import { file_ctxdb_v1_content } from "../../clients/typescript/src/gen/ctxdb/v1/content_pb.ts";
import { file_ctxdb_v1_filesystem } from "../../clients/typescript/src/gen/ctxdb/v1/filesystem_pb.ts";
import { file_ctxdb_v1_memory } from "../../clients/typescript/src/gen/ctxdb/v1/memory_pb.ts";
import { file_ctxdb_v1_observer } from "../../clients/typescript/src/gen/ctxdb/v1/observer_pb.ts";
import { file_ctxdb_v1_pack } from "../../clients/typescript/src/gen/ctxdb/v1/pack_pb.ts";
import { file_ctxdb_v1_queue_status } from "../../clients/typescript/src/gen/ctxdb/v1/queue_status_pb.ts";
import { file_ctxdb_v1_relation } from "../../clients/typescript/src/gen/ctxdb/v1/relation_pb.ts";
import { file_ctxdb_v1_resource } from "../../clients/typescript/src/gen/ctxdb/v1/resource_pb.ts";
import { file_ctxdb_v1_search } from "../../clients/typescript/src/gen/ctxdb/v1/search_pb.ts";
import { file_ctxdb_v1_session } from "../../clients/typescript/src/gen/ctxdb/v1/session_pb.ts";
import { file_ctxdb_v1_skill } from "../../clients/typescript/src/gen/ctxdb/v1/skill_pb.ts";
import { file_ctxdb_v1_system } from "../../clients/typescript/src/gen/ctxdb/v1/system_pb.ts";
import { file_ctxdb_v1_task } from "../../clients/typescript/src/gen/ctxdb/v1/task_pb.ts";
import { file_ctxdb_v1_trash } from "../../clients/typescript/src/gen/ctxdb/v1/trash_pb.ts";
import { file_ctxdb_v1_webhook } from "../../clients/typescript/src/gen/ctxdb/v1/webhook_pb.ts";

const registry = createRegistry(
  file_ctxdb_v1_access,
  file_ctxdb_v1_account,
  file_ctxdb_v1_change,
  file_ctxdb_v1_content,
  file_ctxdb_v1_filesystem,
  file_ctxdb_v1_memory,
  file_ctxdb_v1_observer,
  file_ctxdb_v1_pack,
  file_ctxdb_v1_queue_status,
  file_ctxdb_v1_relation,
  file_ctxdb_v1_resource,
  file_ctxdb_v1_search,
  file_ctxdb_v1_session,
  file_ctxdb_v1_skill,
  file_ctxdb_v1_system,
  file_ctxdb_v1_task,
  file_ctxdb_v1_trash,
  file_ctxdb_v1_webhook,
);

/**
 * Converts a result to its REST form, with the field names of proto/. Messages inside lists and objects are
 * converted, too; other values are unchanged.
 */
export function restJson(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(restJson);
  if (isMessage(result)) return messageJson(result);
  if (typeof result !== "object" || result === null) return result;
  return Object.fromEntries(Object.entries(result).map(([name, value]) => [name, restJson(value)]));
}

function messageJson(message: Message): JsonValue {
  const schema = registry.getMessage(message.$typeName);
  if (schema === undefined) throw new Error(`no schema of ${message.$typeName}`);
  return toJson(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true, registry });
}
