import type { DescMessage, JsonObject as JsonResult, Message } from "@bufbuild/protobuf";
import type { Caller } from "../../domain/caller.ts";
import type { RunningCall } from "../call.ts";
import type { DownloadOperation, UnaryOperation } from "../operation.ts";
import type { JsonObject } from "./json-text.ts";

/** The answer of an operation in a dialect. */
export interface DialectAnswer {
  readonly message: Message;
  /** Its type, where that is not the one of the operation. */
  readonly output?: DescMessage;
  /** Members of the result that the contract does not have. */
  readonly more?: JsonResult;
}

/** How the REST API of another system differs from the contract. */
export interface Dialect {
  /** The path of the contract for a path of the other system. */
  path(path: string): string;
  /** The body as the contract has it. Values are unchecked. */
  body(operation: string, caller: Caller, body: JsonObject): JsonObject;
  query(
    caller: Caller,
    parameters: ReadonlyMap<string, readonly string[]>,
  ): ReadonlyMap<string, readonly string[]>;
  /** Runs an operation; `run` answers as the contract has it. */
  unary(
    call: RunningCall,
    operation: UnaryOperation,
    request: Message,
    run: (operation: UnaryOperation, request: Message) => Promise<Message>,
  ): Promise<DialectAnswer>;
  /** The answer of a download that stays on the server; undefined where it is sent. */
  saved(
    call: RunningCall,
    operation: DownloadOperation,
    request: Message,
  ): Promise<DialectAnswer | undefined>;
}
