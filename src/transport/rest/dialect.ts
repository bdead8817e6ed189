import type { DescMessage, JsonObject as JsonResult, Message } from "@bufbuild/protobuf";
import type { Caller } from "../../domain/caller.ts";
import type { RunningCall } from "../call.ts";
import type { DownloadOperation, UnaryOperation } from "../operation.ts";
import type { JsonObject } from "./json-text.ts";

/** An operation's answer in a dialect. */
export interface DialectAnswer {
  readonly message: Message;
  /** Its type, if it differs from the operation's. */
  readonly output?: DescMessage;
  /** Members of the result that are not in the contract. */
  readonly more?: JsonResult;
}

/** How another system's REST API differs from the contract. */
export interface Dialect {
  /** The contract's path for a path of the other system. */
  path(path: string): string;
  /** The body in the contract's form. Values are unchecked. */
  body(operation: string, caller: Caller, body: JsonObject): JsonObject;
  query(
    caller: Caller,
    parameters: ReadonlyMap<string, readonly string[]>,
  ): ReadonlyMap<string, readonly string[]>;
  /** Runs an operation; `run` answers in the contract's form. */
  unary(
    call: RunningCall,
    operation: UnaryOperation,
    request: Message,
    run: (operation: UnaryOperation, request: Message) => Promise<Message>,
  ): Promise<DialectAnswer>;
  /** The answer of a download that is saved on the server; undefined if it is sent. */
  saved(
    call: RunningCall,
    operation: DownloadOperation,
    request: Message,
  ): Promise<DialectAnswer | undefined>;
}
