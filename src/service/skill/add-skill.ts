import { isAbsolute } from "node:path";
import { invalidArgument } from "../../domain/errors.ts";
import { checkWritable } from "../../domain/scope.ts";
import { skillDocument, skillPath } from "../../domain/skill.ts";
import { type SkillSource, skillOfSource, skillOfText } from "../../ingest/skill-source.ts";
import { identityOf, type LocalSpec, type SourceFilter } from "../../ingest/source.ts";
import { FoundSecrets } from "../../workspace/found-secrets.ts";
import type { SecretGuard } from "../../workspace/secret-guard.ts";
import { describeSkill } from "../describe-skill.ts";
import { GrowingMemory } from "../growing-memory.ts";
import { type ImportDeps, runImport } from "../run-import.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant } from "../tenants.ts";
import { uploadId } from "../upload-id.ts";
import { checkTimeout, type QueueStatus, queueStatus, waitForJobs } from "../wait-for-jobs.ts";

export type SkillDeps = Omit<ImportDeps, "follower">;

export interface AddSkillInput {
  /** An object, or a string: the text of a SKILL.md or a path. */
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

/** Memory per byte of a source: the raw bytes, plus their unpacked or decoded form. */
const READ_COST = 2;

/**
 * POST skills: stores a skill given in any form; replaces an existing one of the same name completely, in one
 * step.
 */
export async function addSkill(
  deps: SkillDeps,
  call: ServiceCall,
  input: AddSkillInput,
): Promise<AddedSkill> {
  const timeout = checkTimeout(input.timeout);
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const origin = deps.ids();
  const watch = input.wait ? deps.queue.watch({ origin }) : undefined;
  try {
    const added = await readAndStore(deps, call, tenant, input, origin);
    if (!watch) return added;
    await waitForJobs(watch, {
      operation: "skills",
      timeout,
      call,
      details: { uri: added.uri },
    });
    const errors = [...watch.semantic.errors, ...watch.embedding.errors].map(({ message }) => message);
    return {
      ...added,
      ...(errors.length > 0 && { status: "error", errors }),
      queueStatus: queueStatus(watch),
    };
  } finally {
    watch?.release();
  }
}

/** Releases the skill's memory once it is stored, even if the caller waits for its layers. */
async function readAndStore(
  deps: SkillDeps,
  call: ServiceCall,
  tenant: Tenant,
  input: AddSkillInput,
  origin: string,
): Promise<AddedSkill> {
  const { bytes, read } = await skillAskedFor(deps, call, tenant, input);
  const memory = new GrowingMemory(call);
  const hold = (more: number) => memory.add(READ_COST * more);
  try {
    hold(bytes);
    const skill = await screenedHead(tenant.workspace.secrets, await read(hold));
    const root = skillPath(skill.head.name);
    const rootUri = tenant.workspace.uris.format(root);
    checkWritable(tenant.owner, root, rootUri, "name");
    const added: AddedSkill = {
      status: "success",
      uri: `${rootUri}/`,
      skillUri: `${rootUri}/`,
      rootUri,
      name: skill.head.name,
      auxiliaryFiles: skill.files.length - 1,
      errors: [],
    };
    await tenant.workspace.locks.run(`import ${rootUri}`, () =>
      store(deps, call, tenant, skill, origin, added),
    );
    return added;
  } finally {
    memory.release();
  }
}

/** A skill that is not read yet, and its size in bytes. */
interface AskedSkill {
  readonly bytes: number;
  /** `hold` is called with further bytes. */
  readonly read: (hold: (bytes: number) => void) => Promise<SkillSource> | SkillSource;
}

async function skillAskedFor(
  deps: SkillDeps,
  call: ServiceCall,
  { workspace }: Tenant,
  input: AddSkillInput,
): Promise<AskedSkill> {
  const { data } = input;
  const upload = uploadId(input);
  const ofSource = async (spec: LocalSpec, field: string): Promise<AskedSkill> => {
    const source = await deps.sources.openLocal(spec, EVERYTHING);
    return { bytes: source.bytes, read: (hold) => skillOfSource(source, field, hold) };
  };
  const ofText = (document: string): AskedSkill => ({
    bytes: document.length,
    read: () => skillOfText(document, "data"),
  });
  if (data !== undefined && upload !== undefined)
    throw invalidArgument("data", "cannot be combined with temp_path: give one of them");
  if (upload !== undefined) {
    const { name } = deps.uploads.find(upload, workspace.incarnation, call.caller);
    return ofSource({ kind: "upload", id: upload, name }, "temp_path");
  }
  if (data === undefined)
    throw invalidArgument("data", "give exactly one of data, temp_path and temp_file_id");
  if (typeof data !== "string") return ofText(skillDocument(data));
  const document = data.toWellFormed().replace(/^[\s\ufeff]+/, "");
  if (document.startsWith("---")) return ofText(document);
  if (!isAbsolute(data))
    throw invalidArgument("data", "a string must be a document that begins with ---, or an absolute path");
  return ofSource({ kind: "path", path: data }, "data");
}

/** The head is stored in addition to the document; secrets in both are counted or refused by the import. */
async function screenedHead(guard: SecretGuard, skill: SkillSource): Promise<SkillSource> {
  if (guard.mode !== "redact") return skill;
  return { ...skill, head: await guard.json(skill.head, { field: "data" }, new FoundSecrets(guard.mode)) };
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
    source: {
      name: head.name,
      isDirectory: true,
      identity: identityOf("upload", head.name),
      files,
      bytes,
      warnings,
    },
    chooseRoot: () => root,
    strict: false,
    index: true,
    meta: {
      name: head.name,
      description: head.description,
      tags: head.tags,
      allowed_tools: head.allowedTools,
    },
    origin,
    signal: call.signal,
    report: call.reply,
    onProgress: () => undefined,
    onLink: (draft) => {
      describeSkill(draft, deps.queue, tenant, head.name, head.description, origin);
      deps.queue.admit(draft, tenant.workspace.incarnation);
      call.keepAnswer?.(draft, added);
    },
  });
}
