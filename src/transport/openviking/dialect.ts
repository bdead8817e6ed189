import {
  create,
  type DescMessage,
  fromJson,
  isMessage,
  type Message,
  type MessageShape,
} from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { GetOverviewResponseSchema, ReadContentRequestSchema } from "../../../gen/ctxdb/v1/content_pb.ts";
import { ExportPackRequestSchema } from "../../../gen/ctxdb/v1/pack_pb.ts";
import { SearchRequestSchema } from "../../../gen/ctxdb/v1/search_pb.ts";
import {
  CreateSessionResponseSchema,
  DeleteSessionRequestSchema,
  GetSessionContextRequestSchema,
  GetSessionContextResponseSchema,
  GetSessionResponseSchema,
} from "../../../gen/ctxdb/v1/session_pb.ts";
import { mayOnlyRead } from "../../accounts/standing.ts";
import { isObject } from "../../base/expect.ts";
import type { Caller } from "../../domain/caller.ts";
import { NotAFile, ServiceError } from "../../domain/errors.ts";
import { estimateTokens } from "../../domain/text/tokens.ts";
import { type SavePackDeps, savePack } from "../../service/pack/save-pack.ts";
import { sessionDetails } from "../../service/session/get-session.ts";
import type { RunningCall } from "../call.ts";
import type { DownloadOperation, Operation, UnaryOperation } from "../operation.ts";
import type { Dialect, DialectAnswer } from "../rest/dialect.ts";
import type { JsonObject } from "../rest/json-body.ts";
import { skillBody } from "./skills.ts";
import { fullUri, isUriField, withFullUris } from "./uris.ts";

interface Deps extends SavePackDeps {
  /** URI scheme of responses. */
  readonly uriScheme: string;
  readonly operations: readonly Operation[];
}

const isNoSession = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === "NOT_FOUND" && error.details?.type === "session";

/** Returns the response, or `instead` for errors that the other system does not report as errors. */
async function orInstead(
  answer: () => Promise<Message>,
  isAnswered: (error: unknown) => boolean,
  instead: (error: unknown) => Promise<Message>,
): Promise<DialectAnswer> {
  try {
    return { message: await answer() };
  } catch (error) {
    if (!isAnswered(error)) throw error;
    return { message: await instead(error) };
  }
}

const PATHS: Readonly<Record<string, string>> = { "/api/v1/observer/models": "/api/v1/observer/vlm" };

type Run = (operation: UnaryOperation, request: Message) => Promise<Message>;
type Variant = (
  call: RunningCall,
  operation: UnaryOperation,
  request: Message,
  run: Run,
) => Promise<DialectAnswer>;

/**
 * REST in the form that OpenViking's agents expect (CTXDB_COMPAT=openviking); docs/openviking.md lists the
 * differences.
 */
export class OpenVikingDialect implements Dialect {
  readonly #deps: Deps;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #variants: Readonly<Record<string, Variant>> = {
    "ContentService.ReadContent": (...asked) => this.#readContent(...asked),
    "SearchService.Search": (...asked) => this.#search(...asked),
    "SessionService.CreateSession": (...asked) => this.#withDetails(...asked),
    "SessionService.GetSession": (...asked) => this.#withDetails(...asked),
    "SessionService.DeleteSession": (...asked) => this.#deleteSession(...asked),
    "SessionService.GetSessionContext": (...asked) => this.#context(...asked),
  };

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#operations = new Map(deps.operations.map((operation) => [operation.name, operation]));
  }

  path(path: string): string {
    return PATHS[path] ?? path;
  }

  body(operation: string, caller: Caller, body: JsonObject): JsonObject {
    // for an export, `to` is a path on the server
    const { to, ...rest } = body;
    const isExport = operation === "PackService.ExportPack";
    const full = withFullUris(isExport ? rest : body, this.#deps.uriScheme, caller);
    if (isExport && to !== undefined) full.to = to;
    if (isObject(full.filter)) full.filter = withContextType(full.filter);
    return operation === "SkillService.AddSkill" ? skillBody(full) : full;
  }

  query(
    caller: Caller,
    parameters: ReadonlyMap<string, readonly string[]>,
  ): ReadonlyMap<string, readonly string[]> {
    const { uriScheme } = this.#deps;
    const full = (value: string): string => fullUri(value, uriScheme, caller);
    return new Map(
      [...parameters].map(([name, values]) => [name, isUriField(name) ? values.map(full) : values]),
    );
  }

  async unary(
    call: RunningCall,
    operation: UnaryOperation,
    request: Message,
    run: Run,
  ): Promise<DialectAnswer> {
    const variant = this.#variants[operation.name];
    return variant ? variant(call, operation, request, run) : { message: await run(operation, request) };
  }

  async saved(
    call: RunningCall,
    operation: DownloadOperation,
    request: Message,
  ): Promise<DialectAnswer | undefined> {
    if (operation.name !== "PackService.ExportPack") return undefined;
    const { uri, includeVectors, to } = ofType(ExportPackRequestSchema, request);
    if (to === undefined || to === "") return undefined;
    // the operation only reads, but this writes to the server's disk
    if (call.caller.key?.access === "read") throw mayOnlyRead(call.caller.key);
    const file = await savePack(this.#deps, call, { uri, includeVectors, to });
    return { message: fromJson(StructSchema, { file }), output: StructSchema };
  }

  /** Reads a file, or the overview of a directory. */
  #readContent(
    _: RunningCall,
    operation: UnaryOperation,
    request: Message,
    run: Run,
  ): Promise<DialectAnswer> {
    const overview = this.#operations.get("ContentService.GetOverview");
    return orInstead(
      () => run(operation, request),
      (error) => error instanceof NotAFile,
      async (error) => {
        if (overview?.kind !== "unary") throw error;
        const { uri } = ofType(ReadContentRequestSchema, request);
        const answer = await run(overview, create(overview.method.input, { uri }));
        const { overview: content } = ofType(GetOverviewResponseSchema, answer);
        return create(operation.method.output, { content });
      },
    );
  }

  /** Searches; an unknown session is ignored. */
  #search(_: RunningCall, operation: UnaryOperation, request: Message, run: Run): Promise<DialectAnswer> {
    return orInstead(
      () => run(operation, request),
      isNoSession,
      () => {
        const asked = ofType(SearchRequestSchema, request);
        return run(operation, create(SearchRequestSchema, { ...asked, sessionId: undefined }));
      },
    );
  }

  #deleteSession(
    _: RunningCall,
    operation: UnaryOperation,
    request: Message,
    run: Run,
  ): Promise<DialectAnswer> {
    return orInstead(
      () => run(operation, request),
      isNoSession,
      async () => {
        const { sessionId } = ofType(DeleteSessionRequestSchema, request);
        return create(operation.method.output, { sessionId });
      },
    );
  }

  async #withDetails(
    call: RunningCall,
    operation: UnaryOperation,
    request: Message,
    run: Run,
  ): Promise<DialectAnswer> {
    const message = await run(operation, request);
    const { sessionId, user } = isMessage(message, CreateSessionResponseSchema)
      ? message
      : ofType(GetSessionResponseSchema, message);
    const { uri, createdAt, updatedAt, pendingTokens } = await sessionDetails(this.#deps, call, sessionId);
    const { account, user: caller, agent } = call.caller;
    const more = {
      user: { account_id: account, user_id: user?.userId ?? caller, agent_id: user?.agentId ?? agent },
      uri,
      created_at: createdAt,
      updated_at: updatedAt,
      pending_tokens: pendingTokens,
      // model tokens are counted per account
      llm_token_usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    };
    return { message, more };
  }

  async #context(
    call: RunningCall,
    operation: UnaryOperation,
    request: Message,
    run: Run,
  ): Promise<DialectAnswer> {
    const message = await run(operation, request);
    const context = ofType(GetSessionContextResponseSchema, message);
    const { sessionId } = ofType(GetSessionContextRequestSchema, request);
    const { archives } = await sessionDetails(this.#deps, call, sessionId);
    const told = [
      context.latestArchiveOverview,
      ...context.preArchiveAbstracts.map(({ abstract }) => abstract),
    ];
    const texts = told.filter((text) => text !== "");
    const archiveTokens = tokensOf(texts);
    const activeTokens = context.estimatedTokens - archiveTokens - tokensOf([context.recalled ?? ""]);
    const stats = {
      totalArchives: archives,
      failedArchives: 0,
      activeTokens: Math.max(0, activeTokens),
      archiveTokens,
      droppedArchives: Math.max(0, archives - texts.length),
    };
    return { message, more: { stats, estimatedTokens: context.estimatedTokens } };
  }
}

/** Narrows a message to its type, which the operation guarantees. */
function ofType<T extends DescMessage>(schema: T, message: Message): MessageShape<T> {
  if (!isMessage(message, schema)) throw new Error(`${message.$typeName} is not a ${schema.typeName}`);
  return message;
}

const tokensOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Math.ceil(estimateTokens(text)), 0);

/** Renames `type` to the API's `context_type`; conditions may be nested. */
function withContextType(filter: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      if (name === "type") return ["context_type", value];
      if (name === "field" && value === "type") return [name, "context_type"];
      if (name !== "conds" || !Array.isArray(value)) return [name, value];
      return [name, value.map((held: unknown) => (isObject(held) ? withContextType(held) : held))];
    }),
  );
}
