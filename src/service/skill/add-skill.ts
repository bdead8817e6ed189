import { isAbsolute } from "node:path";
import { invalidArgument } from "../../domain/errors.ts";
import { checkWritable } from "../../domain/scope.ts";
import { skillDocument, skillPath } from "../../domain/skill.ts";
import { type SkillSource, skillOfSource, skillOfText } from "../../ingest/skill-source.ts";
import { identityOf, type SourceFilter } from "../../ingest/source.ts";
import type { ServiceCall } from "../call.ts";
import { describeSkill } from "../describe-skill.ts";
import type { ImportDeps } from "../import-deps.ts";
import { runImport } from "../run-import.ts";
import type { Tenant } from "../tenants.ts";
import { uploadId } from "../upload-id.ts";
import { checkTimeout, type QueueStatus, queueStatus, waitDrained } from "../waiting.ts";

export type SkillDeps = Omit<ImportDeps, "follower">;

export interface AddSkillInput {
  /** An object, or a text: a document or a path. */
  readonly data?: unknown;
  readonly tempPath?: string | undefined;
  readonly tempFileId?: string | undefined;
  readonly wait: boolean;
  readonly timeout?: number | undefined;
}

export interface AddedSkill {
  status: "success" | "error";
  uri: string;
  skillUri: string;
  rootUri: string;
  name: string;
  auxiliaryFiles: number;
  errors: string[];
  queueStatus?: QueueStatus;
}

const EVERYTHING: SourceFilter = { ignoreDirs: "", include: "", exclude: "" };

/** POST skills: stores a skill in any of its forms; one of the same name is replaced whole, in one step (rulings K1–K6). */
export async function addSkill(deps: SkillDeps, call: ServiceCall, input: AddSkillInput): Promise<AddedSkill> {
  const timeout = checkTimeout(input.timeout);
  const tenant = await deps.tenants.writing(call.caller);
  const skill = await readSkill(deps, call, tenant, input);
  const root = skillPath(skill.head.name);
  const rootUri = tenant.workspace.uris.format(root);
  checkWritable(call.caller, root, rootUri, "name");
  const added: AddedSkill = {
    status: "success",
    uri: `${rootUri}/`,
    skillUri: `${rootUri}/`,
    rootUri,
    name: skill.head.name,
    auxiliaryFiles: skill.files.length - 1,
    errors: [],
  };
  const origin = deps.ids();
  const watch = input.wait ? deps.queue.watch({ origin }) : undefined;
  try {
    await tenant.workspace.locks.run(`import ${rootUri}`, () => store(deps, call, tenant, skill, origin, added));
    if (!watch) return added;
    await waitDrained(watch, { operation: "skills", timeout, signal: call.signal, details: { uri: added.uri } });
    const errors = [...watch.semantic.errors, ...watch.embedding.errors].map(({ message }) => message);
    return { ...added, ...(errors.length > 0 && { status: "error", errors }), queueStatus: queueStatus(watch) };
  } finally {
    watch?.release();
  }
}

async function readSkill(deps: SkillDeps, call: ServiceCall, { workspace }: Tenant, input: AddSkillInput): Promise<SkillSource> {
  const { data } = input;
  const upload = uploadId(input);
  if (data !== undefined && upload !== undefined) throw invalidArgument("data", "give data or temp_path, not both");
  if (upload !== undefined) {
    const { name } = deps.uploads.find(upload, workspace.incarnation, call.caller.user);
    return skillOfSource(await deps.sources.openLocal({ kind: "upload", id: upload, name }, EVERYTHING), "temp_path");
  }
  if (data === undefined) throw invalidArgument("data", "required: data, temp_path or temp_file_id names the skill");
  if (typeof data !== "string") return skillOfText(skillDocument(data), "data");
  const document = data.toWellFormed().replace(/^[\s\ufeff]+/, "");
  if (document.startsWith("---")) return skillOfText(document, "data");
  if (!isAbsolute(data)) throw invalidArgument("data", "a text must be a document that begins with --- or an absolute path");
  return skillOfSource(await deps.sources.openLocal({ kind: "path", path: data }, EVERYTHING), "data");
}

function store(
  deps: SkillDeps,
  call: ServiceCall,
  tenant: Tenant,
  skill: SkillSource,
  origin: string,
  added: AddedSkill,
): Promise<unknown> {
  const { head, files, bytes, warnings } = skill;
  const root = skillPath(head.name);
  return runImport(deps, tenant, {
    source: { name: head.name, isDirectory: true, identity: identityOf("upload", head.name), files, bytes, warnings },
    chooseRoot: () => root,
    strict: false,
    index: true,
    meta: { name: head.name, description: head.description, tags: head.tags, allowed_tools: head.allowedTools },
    origin,
    signal: call.signal,
    onProgress: () => undefined,
    onLink: (draft) => {
      describeSkill(draft, deps.queue, tenant, head.name, head.description, origin);
      deps.queue.admit(draft, tenant.workspace.incarnation);
      call.keepAnswer?.(draft, added);
    },
  });
}
