import { encodeRecord } from "../../storage/record-codec.ts";
import { TEXTS } from "../records.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";

/** Source identity for which a root is reserved until its accepted import ends; undefined if it is free. */
export const reservedFor = (workspace: Workspace, uri: string): string | undefined =>
  TEXTS.read(workspace.kv, workspace.keys.reservation(uri));

export const reserve = (draft: WorkspaceDraft, uri: string, identity: string): void =>
  draft.put(draft.keys.reservation(uri), encodeRecord(identity));

export const unreserve = (draft: WorkspaceDraft, uri: string): void =>
  draft.delete(draft.keys.reservation(uri));
