import type { DescField, DescMethod, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isRequired } from "../../src/transport/pipeline/check-request.ts";

/** Kinds of things that a request can address. */
export interface Subjects {
  readonly uri: string;
  readonly session: string;
  readonly task: string;
  readonly upload: string;
  readonly account: string;
  readonly user: string;
  readonly memory: string;
  readonly webhook: string;
  readonly trash: string;
}

/** Fields that name a subject, with the kind of subject. */
const SUBJECTS: Readonly<Record<string, keyof Subjects>> = {
  uri: "uri",
  uris: "uri",
  from_uri: "uri",
  to_uri: "uri",
  to_uris: "uri",
  target_uri: "uri",
  project: "uri",
  target: "uri",
  to: "uri",
  parent: "uri",
  contexts: "uri",
  files: "uri",
  session_id: "session",
  task_id: "task",
  temp_path: "upload",
  temp_file_id: "upload",
  account_id: "account",
  user_id: "user",
  memory_id: "memory",
  webhook_id: "webhook",
  trash_id: "trash",
};

/** Values for all other fields. */
const VALUES: Readonly<Record<string, JsonValue>> = {
  access: "read",
  add: ["overwritten"],
  admin_user_id: "mallory",
  content: "overwritten",
  description: "overwritten",
  direction: "both",
  effect: "allow",
  grantee_id: "",
  grantee_type: "everyone",
  group_id: "a-group",
  level: "read",
  level_limit: 0,
  hide_sections: false,
  interval_seconds: 600,
  messages: [{ role: "user", content: "overwritten" }],
  mode: "replace",
  name: "a-skill",
  node_limit: 1000,
  number: 1,
  pattern: "walrus",
  query: "walrus",
  reason: "overwritten",
  recall_budget: 200,
  recursive: true,
  role: "user",
  score_threshold: 0,
  show_all_hidden: true,
  statement: "overwritten",
  timeout: 0,
  used: true,
  url: "https://192.0.2.1/overwritten",
  version: 1,
};

/** Fields that are omitted because they never name a subject. */
const LEFT_OUT = new Set(
  `abs_limit after agent_id audit_days location session_days task_days trash_days version_days all as_of begin block_token_budget build_index cancel case_insensitive category character_budget chunks context created_at cursor data dry_run exclude exclude_origins expires_at expires_in_seconds explain filter force forget from_version group id idempotency_key if_match ignore_dirs include include_superseded include_vectors
   instruction keep_added kinds limit max_memories max_resources max_skills min_score model_tokens_per_day nodes offset on_conflict origin output overlap_hours parts path paused permanent remove replace requests_per_minute resolution restart since simple skill snapshot source_name stored_bytes strict subject summarize text to_path to_snapshot to_version token_budget until valid_from
   tags vectorize wait without_profile`.split(/\s+/),
);

/** Optional fields without which a request is invalid. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  "FilesystemService.TagNode": ["add"],
  "ResourceService.AddResource": ["temp_path"],
  "SkillService.AddSkill": ["temp_path"],
  "PackService.ImportPack": ["temp_path"],
  "RelationService.LinkNodes": ["to_uri"],
};

/** Fields of which a request needs one. */
const INSTEAD: Readonly<Record<string, string>> = {
  temp_file_id: "temp_path",
  to_uris: "to_uri",
  project: "target_uri",
};

/** A field that is omitted if the request names a subject, since the two exclude each other. */
const OTHERWISE: Readonly<Record<string, string>> = { "MemoryService.Forget": "query" };

const nameOf = (method: DescMethod): string => `${method.parent.name}.${method.name}`;

/** Returns the fields of a request that name its subjects. */
export const subjectFields = (
  method: DescMethod,
): { readonly name: string; readonly kind: keyof Subjects }[] =>
  method.input.fields.flatMap(({ name }) => (name in SUBJECTS ? [{ name, kind: SUBJECTS[name]! }] : []));

/**
 * Builds a valid request for any operation: required fields name a subject of `own`, the field `foreign`
 * names one of `theirs`. Throws for an unknown field, so that whoever adds a field decides how to fill it.
 */
export function genericRequest(
  method: DescMethod,
  own: Subjects,
  foreign?: string,
  theirs: Subjects = own,
): JsonObject {
  const request: JsonObject = {};
  for (const field of method.input.fields) {
    const { name } = field;
    if (!(name in SUBJECTS) && !(name in VALUES) && !LEFT_OUT.has(name))
      throw new Error(`say in generic-request.ts what ${name} of ${nameOf(method)} holds`);
    const isNeeded = isRequired(field) || (NEEDED[nameOf(method)] ?? []).includes(name);
    const isReplaced = foreign !== undefined && INSTEAD[foreign] === name;
    if (name in SUBJECTS) {
      if (name === foreign) request[name] = listed(field, theirs[SUBJECTS[name]!]);
      else if (isNeeded && !isReplaced) request[name] = listed(field, own[SUBJECTS[name]!]);
    } else if (foreign !== undefined && OTHERWISE[nameOf(method)] === name) continue;
    else if (name in VALUES && (isNeeded || field.fieldKind === "scalar")) request[name] = VALUES[name]!;
  }
  return request;
}

function listed(field: DescField, value: string): JsonValue {
  if (field.fieldKind !== "list") return value;
  // files to write are named by URI
  return [field.message ? { uri: value, content: "overwritten" } : value];
}
