/** A file of a binary format, before its parser. */
export interface FormatFile {
  /** The stem of its name: the title of a document without one. */
  readonly stem: string;
  readonly bytes: Uint8Array;
}
