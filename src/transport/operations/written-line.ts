import { fromJsonString } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { EntryLine } from "../../service/filesystem/list-entries.ts";
import { JSON_TEXT, type PreEncodedMessage } from "../message-fields.ts";

/**
 * A line of a list: an object or, with `simple`, a string. REST sends its JSON; the message fields for other
 * protocols are created on demand.
 */
export class WrittenLine implements Value, PreEncodedMessage {
  readonly $typeName = ValueSchema.typeName;
  readonly [JSON_TEXT]: string;
  #kind: Value["kind"] | undefined;

  constructor(line: EntryLine) {
    this[JSON_TEXT] = JSON.stringify(line);
  }

  get kind(): Value["kind"] {
    this.#kind ??= fromJsonString(ValueSchema, this[JSON_TEXT]).kind;
    return this.#kind;
  }
}
