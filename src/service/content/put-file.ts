import { checkWritable } from "../../domain/scope.ts";
import type { Uploads } from "../../workspace/requests/uploads.ts";
import type { ServiceCall } from "../service-call.ts";
import { type WriteDeps, writeFile } from "./write-file.ts";

/** Memory per byte of a file: its content and its text. */
const PUT_COST = 2;

export interface PutDeps extends WriteDeps {
  readonly uploads: Pick<Uploads, "find" | "read" | "discard">;
}

export interface PutInput {
  readonly uri: string;
  /** The content, or the id of an upload of the caller, which is removed afterwards. */
  readonly content: Uint8Array | { readonly upload: string };
  /** Whether to fail with ALREADY_EXISTS if a file exists. */
  readonly mustBeNew: boolean;
  /** Whether the file is indexed for searches. */
  readonly isIndexed: boolean;
}

export interface PutResult {
  readonly isNew: boolean;
  /** Content hash. */
  readonly etag: string | undefined;
}

/**
 * Stores content as a file of any type, replacing an existing one. Durable and readable on return; layers are
 * created later.
 */
export async function putFile(deps: PutDeps, call: ServiceCall, input: PutInput): Promise<PutResult> {
  const { content } = input;
  if (!("upload" in content)) return store(deps, call, input, content.byteLength, async () => content);
  const { upload } = content;
  try {
    const { workspace } = await deps.tenants.openOrCreate(call.caller);
    const { size } = deps.uploads.find(upload, workspace.incarnation, call.caller);
    return await store(deps, call, input, size, () => deps.uploads.read(upload));
  } finally {
    // an upload that cannot be removed now expires later
    await deps.uploads.discard(upload).catch(() => undefined);
  }
}

async function store(
  deps: PutDeps,
  call: ServiceCall,
  { uri: text, mustBeNew, isIndexed }: PutInput,
  size: number,
  read: () => Promise<Uint8Array>,
): Promise<PutResult> {
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { uris } = tenant.workspace;
  const path = uris.parse(text);
  const uri = uris.format(path);
  checkWritable(tenant.owner, path, uri, "uri");
  const lease = call.reserve?.(PUT_COST * size);
  try {
    const bytes = await read();
    let isNew = false;
    const { hash } = await writeFile(deps, tenant, {
      path,
      uri,
      mode: mustBeNew ? "create" : "put",
      kind: "write",
      content: async (before) => {
        isNew = before === undefined;
        return { bytes };
      },
      report: call.reply,
      isIndexed,
      origin: deps.ids(),
      ifMatch: call.ifMatch,
      keep: () => undefined,
      signal: call.signal,
    });
    return { isNew, etag: hash };
  } finally {
    lease?.release();
  }
}
