import { ContentService } from "../../../gen/ctxdb/v1/content_pb.ts";
import { diffVersions } from "../../service/content/diff-versions.ts";
import { downloadContent } from "../../service/content/download-content.ts";
import { getLayer, getOverview } from "../../service/content/get-layer.ts";
import { listChunks } from "../../service/content/list-chunks.ts";
import { listVersions } from "../../service/content/list-versions.ts";
import { readContent } from "../../service/content/read-content.ts";
import { restoreVersion } from "../../service/content/restore-version.ts";
import { writeContent } from "../../service/content/write-content.ts";
import type { WriteDeps } from "../../service/content/write-file.ts";
import { writeFiles } from "../../service/content/write-files.ts";
import type { Cursors } from "../../service/cursors.ts";
import { entityTags } from "../headers.ts";
import { download, type Operation, unary } from "../operation.ts";

const { method } = ContentService;

export const contentOperations = (deps: WriteDeps & { readonly cursors: Cursors }): Operation[] => [
  unary(method.readContent, (call, request) => readContent(deps, call, request)),
  download(method.downloadContent, (call, request) => downloadContent(deps, call, request)),
  unary(method.getAbstract, async (call, request) => ({ abstract: await getLayer(deps, call, 0, request) })),
  unary(method.getOverview, async (call, request) => ({ overview: await getOverview(deps, call, request) })),
  unary(method.listChunks, (call, request) => listChunks(deps, call, request)),
  unary(method.listVersions, (call, request) => listVersions(deps, call, request)),
  unary(method.diffVersions, (call, request) => diffVersions(deps, call, request)),
  unary(method.restoreVersion, (call, request) =>
    restoreVersion(deps, call, { ...request, version: request.version ?? 0 }),
  ),
  unary(method.writeFiles, (call, request) =>
    writeFiles(deps, call, {
      ...request,
      files: request.files.map(({ content = "", ifMatch, ...file }) => ({
        ...file,
        content,
        ...(ifMatch !== undefined && { ifMatch: entityTags(ifMatch) }),
      })),
    }),
  ),
  unary(method.writeContent, (call, request) =>
    writeContent(deps, call, { ...request, content: request.content ?? "" }),
  ),
];
