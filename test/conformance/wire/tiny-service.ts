import { createHash } from "node:crypto";
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { AccountService } from "../../../gen/ctxdb/v1/account_pb.ts";
import { ContentService } from "../../../gen/ctxdb/v1/content_pb.ts";
import { FilesystemService } from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import { RelationService } from "../../../gen/ctxdb/v1/relation_pb.ts";
import { ResourceService } from "../../../gen/ctxdb/v1/resource_pb.ts";
import { SearchService } from "../../../gen/ctxdb/v1/search_pb.ts";
import { SessionService } from "../../../gen/ctxdb/v1/session_pb.ts";
import { SystemService } from "../../../gen/ctxdb/v1/system_pb.ts";
import { type Caller, checkIdentifier } from "../../../src/domain/caller.ts";
import {
  alreadyExists,
  failedPrecondition,
  invalidArgument,
  invalidUri,
  notFound,
  permissionDenied,
  ServiceError,
} from "../../../src/domain/errors.ts";
import { accountId } from "../../../src/domain/ids.ts";
import type { FirstAnswer, FirstAnswerOrLease } from "../../../src/service/first-answers.ts";
import type { Identity } from "../../../src/transport/identity.ts";
import { download, type Operation, unary, uploadOperation } from "../../../src/transport/operation.ts";
import type { Idempotency } from "../../../src/transport/pipeline/idempotency.ts";

export const USER_KEY = "user-key";
export const ROOT_KEY = "root-key";

/** Callers: root by its key, and the user `ann` of the account `acme` by hers. */
export function authenticate({ key, agent = "default", account, user = "default" }: Identity): Caller {
  if (key === ROOT_KEY)
    return {
      role: "root",
      account: accountId(account ?? "default"),
      user,
      agent,
      accountNamed: account !== undefined,
      keyless: false,
    };
  if (key === USER_KEY)
    return {
      role: "user",
      account: accountId("acme"),
      user: "ann",
      agent: checkIdentifier("agent", agent),
      accountNamed: true,
      keyless: false,
    };
  throw new ServiceError("UNAUTHENTICATED", "the key is missing or unknown");
}

/** Stores first answers in memory and lets one caller of a key run at a time. */
export class RamIdempotency implements Idempotency {
  readonly #kept = new Map<string, { bodyHash: string; answer: Promise<FirstAnswer | undefined> }>();

  async begin(caller: Caller, operation: string, key: string, bodyHash: string): Promise<FirstAnswerOrLease> {
    const id = JSON.stringify([caller.account, caller.user, operation, key]);
    const known = this.#kept.get(id);
    if (known !== undefined) {
      if (known.bodyHash !== bodyHash) throw invalidArgument("idempotency_key", "was used with another body");
      const answer = await known.answer;
      if (answer !== undefined) return { answer };
    }
    let settle: (answer: FirstAnswer | undefined) => void = () => undefined;
    this.#kept.set(id, {
      bodyHash,
      answer: new Promise((resolve) => {
        settle = resolve;
      }),
    });
    return {
      keep: () => undefined,
      later: ({ message }) => ({
        hash: key,
        record: { bodyHash, message: Buffer.from(message).toString("base64"), at: 0 },
      }),
      finish: async (answer) => {
        if (answer === undefined) this.#kept.delete(id);
        settle(answer);
      },
    };
  }
}

const hashOf = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");

function checkUri(uri: string): string {
  if (!uri.startsWith("ctx://") || uri.includes("..")) throw invalidUri(uri, "is none");
  return uri.replace(/\/$/, "");
}

/** A flat store of files and folders that follows the specification as far as the protocols can show. */
export function tinyOperations(): Operation[] {
  const files = new Map<string, string>();
  const folders = new Set<string>();
  const fileAt = (uri: string): string => {
    const text = files.get(checkUri(uri));
    if (text === undefined) throw notFound("file", uri);
    return text;
  };
  return [
    unary(SystemService.method.getStatus, ({ caller: { user, account, role } }) => ({
      initialized: true,
      version: "0.0.1",
      user,
      account,
      role,
      uptime: 1.5,
    })),
    unary(
      AccountService.method.listUsers,
      ({ caller }) => ({ users: [{ userId: caller.user, role: caller.role }] }),
      (caller, path) => {
        if (caller.role !== "root")
          throw permissionDenied(`account ${path.account_id}`, "only ROOT may do this");
      },
    ),
    unary(SystemService.method.waitProcessed, async ({ signal }, { timeout }) => {
      if (timeout === undefined) await untilAborted(signal);
      return { semanticQueue: {}, vectorQueue: {} };
    }),
    unary(FilesystemService.method.makeDirectory, (_, { uri }) => {
      const at = checkUri(uri);
      if (folders.has(at)) throw alreadyExists("directory", at);
      folders.add(at);
      return { uri: at };
    }),
    unary(FilesystemService.method.statNode, ({ reply }, { uri }) => {
      const at = checkUri(uri);
      const name = at.slice(at.lastIndexOf("/") + 1);
      if (folders.has(at))
        return { name, mode: 16877, isDir: true, uri: at, modTime: "1970-01-01T00:00:00Z", count: 0 };
      const text = fileAt(uri);
      reply.etag = hashOf(text);
      return {
        name,
        size: Buffer.byteLength(text),
        mode: 33188,
        uri: at,
        mtime: 1.25,
        modTime: "1970-01-01T00:00:01Z",
      };
    }),
    unary(FilesystemService.method.listEntries, (_, { uri, simple, nodeLimit = 1000, cursor = "0" }) => {
      const all = [...files.keys()].filter((at) => at.startsWith(`${checkUri(uri)}/`)).sort();
      const from = Number(cursor);
      const page = all.slice(from, from + nodeLimit);
      const entries = page.map((at) =>
        fromJson(ValueSchema, simple ? at : { uri: at, size: files.get(at)?.length ?? 0, isDir: false }),
      );
      return { entries, ...(from + nodeLimit < all.length && { nextCursor: String(from + nodeLimit) }) };
    }),
    unary(ContentService.method.writeContent, ({ ifMatch }, { uri, content = "", mode = "replace" }) => {
      const at = checkUri(uri);
      const old = files.get(at);
      if (mode === "create" && old !== undefined) throw alreadyExists("file", at);
      if (ifMatch !== undefined && !ifMatch.includes(hashOf(old ?? ""))) {
        throw new ServiceError("FAILED_PRECONDITION", `${at}: has changed`, {
          resource: at,
          etag: hashOf(old ?? ""),
        });
      }
      files.set(at, mode === "append" ? (old ?? "") + content : content);
      return { uri: at, mode, writtenBytes: Buffer.byteLength(content) };
    }),
    unary(ContentService.method.readContent, ({ reply }, { uri }) => {
      const text = fileAt(uri);
      reply.etag = hashOf(text);
      return { content: text };
    }),
    download(ContentService.method.downloadContent, async (_, { uri }) => {
      const bytes = Buffer.from(fileAt(uri));
      return {
        name: uri.slice(uri.lastIndexOf("/") + 1),
        contentType: "text/plain",
        size: bytes.length,
        etag: hashOf(bytes),
        async *read({ start, end } = { start: 0, end: bytes.length }) {
          yield bytes.subarray(start, end);
        },
      };
    }),
    uploadOperation(ResourceService.method.uploadFile, async (_, { name, bytes }) => {
      const hash = createHash("sha256");
      let size = 0;
      for await (const chunk of bytes) {
        hash.update(chunk);
        size += chunk.length;
      }
      return { tempPath: name, tempFileId: name, size, sha256: hash.digest("hex") };
    }),
    unary(SearchService.method.find, (_, request) => {
      if ((request.scoreThreshold ?? 0) > 1)
        throw invalidArgument("score_threshold", "must be between 0 and 1");
      const filter: JsonObject = request.filter ?? {};
      const echo = {
        uri: request.query,
        contextType: "resource",
        score: 0.1 + 0.2,
        abstract: JSON.stringify(filter),
      };
      return { resources: request.query === "nothing" ? [] : [echo], total: request.limit ?? 10 };
    }),
    unary(RelationService.method.linkNodes, () => ({})),
    unary(RelationService.method.unlinkNodes, () => ({})),
    unary(SessionService.method.addMessage, (_, { sessionId, parts }) => ({
      sessionId,
      messageCount: parts.length,
    })),
    unary(SessionService.method.getSession, () => {
      throw new TypeError("a fault of the server: /etc/passwd");
    }),
    unary(SessionService.method.deleteSession, (_, { sessionId }) => {
      throw new ServiceError("SESSION_EXPIRED", `session expired: ${sessionId}`, { session_id: sessionId });
    }),
    unary(SessionService.method.listSessions, () => {
      throw failedPrecondition("sessions", "not now");
    }),
  ];
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}
