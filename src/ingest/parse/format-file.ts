/** A file of a binary format, before it is parsed. */
export interface FormatFile {
  /** File name without extension: the title if the document has none. */
  readonly stem: string;
  readonly bytes: Uint8Array;
}
