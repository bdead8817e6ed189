const BLANK_LINE = "\n\n";

/** Parses the JSON messages of a stream of Server-Sent Events. Rejects if an event exceeds `maxBytes`. */
export async function* eventMessages(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  /** Pieces of an event that has not ended; joined only once, because there may be many small ones. */
  let held: string[] = [];
  let heldBytes = 0;
  /** A line end that may be half of a blank line. */
  let cut = "";
  for await (const piece of body) {
    const parts = (cut + decoder.decode(piece, { stream: true })).split(BLANK_LINE);
    const last = parts.pop() ?? "";
    for (const part of parts) {
      held.push(part);
      yield* messageOf(held.join(""));
      held = [];
      heldBytes = 0;
    }
    cut = last.endsWith("\n") ? "\n" : "";
    held.push(last.slice(0, last.length - cut.length));
    heldBytes += last.length;
    if (heldBytes > maxBytes) throw new Error(`an event is longer than ${maxBytes} bytes`);
  }
}

function* messageOf(event: string): Generator<unknown> {
  const data = event
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice("data:".length));
  // comment lines only keep the connection alive
  if (data.length > 0) yield JSON.parse(data.join("\n"));
}
