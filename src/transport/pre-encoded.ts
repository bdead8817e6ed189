import type { Message } from "@bufbuild/protobuf";

/** Symbol of a message's prepared JSON. */
export const JSON_TEXT = Symbol("JSON text");

/** A message whose JSON was written before, to the byte what `toJson` with JSON_OPTIONS would give. */
export interface PreEncodedMessage extends Message {
  readonly [JSON_TEXT]: string;
}

export const isWritten = (message: Message | undefined): message is PreEncodedMessage =>
  message !== undefined && JSON_TEXT in message;
