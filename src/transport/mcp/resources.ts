import type {
  ReadResourceResult,
  Resource,
  ResourceTemplateType as ResourceTemplate,
} from "@modelcontextprotocol/server";
import { ContentService } from "../../../gen/ctxdb/v1/content_pb.ts";
import { FilesystemService } from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import type { ServiceError } from "../../domain/errors.ts";
import { shortened } from "./answer-budget.ts";
import type { OperationInvoker } from "./operation-invoker.ts";
import { isRefusal } from "./tool.ts";
import { directoryListing } from "./tools/ls-and-stat.ts";
import { page } from "./tools/read.ts";

/** Maximum tokens of a resource: clients pass it to a model as a whole and cannot set a limit. */
const READ_TOKENS = 20_000;
const OVERVIEW_TOKENS = 4000;
const LISTED = 200;
const MOST_BYTES = 4 * 1024 * 1024;

const MARKDOWN = "text/markdown";

/** Top-level folders with their descriptions. */
export const ROOTS: readonly (readonly [path: string, description: string])[] = [
  ["resources", "Imported and written documents"],
  ["agent/skills", "Skills: instructions for tasks"],
  ["user", "Memories of the user"],
  ["agent", "Memories of agents"],
  ["session", "Conversations"],
];

/**
 * Lists the top-level folders and the direct contents of resources; `cursor` continues the latter. Throws
 * ServiceErrors.
 */
export async function listResources(
  asker: OperationInvoker,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const roots = ROOTS.map(([path, description]) => ({
    uri: asker.root + path,
    name: path,
    description,
    mimeType: MARKDOWN,
  }));
  const from = {
    uri: `${asker.root}resources`,
    output: "agent",
    nodeLimit: LISTED,
    ...(cursor !== undefined && { cursor }),
  };
  const { entries, nextCursor } = await asker.ask(FilesystemService.method.listEntries, from);
  const resources = entries.map(({ kind }): Resource => {
    const fields = kind.case === "structValue" ? kind.value.fields : {};
    const uri = String(fields.uri?.kind.value ?? "");
    const abstract = String(fields.abstract?.kind.value ?? "");
    const isFolder = fields.isDir?.kind.value === true;
    return {
      uri,
      name: uri.slice(uri.lastIndexOf("/") + 1),
      ...(abstract !== "" && { description: abstract }),
      ...(isFolder && { mimeType: MARKDOWN }),
    };
  });
  return {
    resources: cursor === undefined ? [...roots, ...resources] : resources,
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

export const TEMPLATE_VARIABLE = "path";

export const templateOf = (root: string): string => `${root}{+${TEMPLATE_VARIABLE}}`;

export const templatesOf = (root: string): ResourceTemplate[] => [
  {
    uriTemplate: templateOf(root),
    name: "Any file or folder",
    description: "Content of a file; overview and entries of a folder.",
  },
];

/** Returns a file as text or bytes, a folder as its overview and list of entries. Throws ServiceErrors. */
export async function readResource(asker: OperationInvoker, uri: string): Promise<ReadResourceResult> {
  const { isDir } = await asker.ask(FilesystemService.method.statNode, { uri });
  if (isDir) return { contents: [{ uri, mimeType: MARKDOWN, text: await folderText(asker, uri) }] };
  try {
    return {
      contents: [
        { uri, text: (await page(asker, { uri, offset: 0, limit: undefined }, READ_TOKENS)).toWellFormed() },
      ],
    };
  } catch (error) {
    if (!isBinary(error)) throw error;
    const { contentType, bytes } = await asker.download(uri, MOST_BYTES);
    return { contents: [{ uri, mimeType: contentType, blob: bytes.toString("base64") }] };
  }
}

async function folderText(asker: OperationInvoker, uri: string): Promise<string> {
  const listed = { uri, levelLimit: 1, showAllHidden: false, hideSections: true, nodeLimit: LISTED };
  const parts = await Promise.all([
    asker.ask(ContentService.method.getOverview, { uri }).then(
      (answer) => `${shortened(answer.overview, OVERVIEW_TOKENS)}\n\n`,
      (error: unknown) => {
        // not generated yet
        if (isRefusal(error, "FAILED_PRECONDITION")) return "";
        throw error;
      },
    ),
    directoryListing(asker, listed, READ_TOKENS - OVERVIEW_TOKENS).then(({ text }) => text),
  ]);
  return parts.join("").toWellFormed();
}

/** Whether a read failed because the file is binary (INVALID_ARGUMENT). */
const isBinary = (error: unknown): error is ServiceError => isRefusal(error, "INVALID_ARGUMENT");
