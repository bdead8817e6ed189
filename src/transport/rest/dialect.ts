import type { DescMessage, JsonObject as JsonResult, Message } from "@bufbuild/protobuf";
import type { Caller } from "../../domain/caller.ts";
import type { RunningCall } from "../call.ts";
import type { DownloadOperation, UnaryOperation } from "../operation.ts";
import type { JsonObject } from "./json-body.ts";

/** An operation's response in a dialect. */
export interface DialectAnswer {
  readonly message: Message;
  /** Type of the message, if different from the operation's. */
  readonly output?: DescMessage;
  /** Additional members of the result that are not part of the API. */
  readonly more?: JsonResult;
}

/** Converts between the REST API of another system and this one. */
export interface Dialect {
  /** Converts a path of the other system. */
  path(path: string): string;
  /** Converts a body; its values are not validated. */
  body(operation: string, caller: Caller, body: JsonObject): JsonObject;
  query(
    caller: Caller,
    parameters: ReadonlyMap<string, readonly string[]>,
  ): ReadonlyMap<string, readonly string[]>;
  /** Runs an operation; `run` returns the response of this API. */
  unary(
    call: RunningCall,
    operation: UnaryOperation,
    request: Message,
    run: (operation: UnaryOperation, request: Message) => Promise<Message>,
  ): Promise<DialectAnswer>;
  /** Response of a download that is saved on the server; undefined if the file is sent. */
  saved(
    call: RunningCall,
    operation: DownloadOperation,
    request: Message,
  ): Promise<DialectAnswer | undefined>;
}
