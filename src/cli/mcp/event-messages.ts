/** Parses the JSON messages of a stream of Server-Sent Events. Rejects if an event exceeds `maxBytes`. */
export async function* eventMessages(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let held = "";
  for await (const piece of body) {
    held += decoder.decode(piece, { stream: true });
    const events = held.split("\n\n");
    held = events.pop() ?? "";
    if (held.length > maxBytes) throw new Error(`an event is longer than ${maxBytes} bytes`);
    for (const event of events) {
      const data = event
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice("data:".length));
      // comment lines only keep the connection alive
      if (data.length > 0) yield JSON.parse(data.join("\n"));
    }
  }
}
