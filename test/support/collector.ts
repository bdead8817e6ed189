import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** A span as received by a collector. */
export interface Seen {
  readonly name: string;
  readonly trace: string;
  readonly id: string;
  /** Empty for the root span of a trace. */
  readonly parent: string;
  /** OTLP span kind: 1 internal, 2 server, 5 consumer. */
  readonly kind: number;
  readonly facts: Readonly<Record<string, string | number>>;
  /** The status message of a failed span. */
  readonly failure: string | undefined;
  /** Resource attributes of the server that sent the span. */
  readonly server: Readonly<Record<string, string | number>>;
}

/** An OTLP collector over HTTP on a free port, with configurable responses. */
export class Collector {
  readonly spans: Seen[] = [];
  readonly paths: string[] = [];
  /** Called for each request after its body has been read. */
  script: (answer: ServerResponse) => void = (answer) => void answer.writeHead(200).end();
  readonly #server = createServer((request, answer) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      this.paths.push(request.url ?? "");
      this.spans.push(...spansOf(Buffer.concat(parts)));
      this.script(answer);
    });
  });

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

type Fields = Map<number, (Uint8Array | number)[]>;

/** Returns the fields of a protobuf message by field number. */
function fieldsOf(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const fields: Fields = new Map();
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    let value: Uint8Array | number | undefined;
    if (type === WireType.LengthDelimited) value = reader.bytes();
    else if (type === WireType.Varint) value = Number(reader.int64());
    else if (type === WireType.Bit64 && field === DOUBLE) value = reader.double();
    else reader.skip(type, field);
    if (value !== undefined) fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fields;
}

/** Field numbers of AnyValue (opentelemetry/proto/common/v1/common.proto). */
const DOUBLE = 4;

const messages = (fields: Fields, field: number): Uint8Array[] => (fields.get(field) ?? []) as Uint8Array[];
const hex = (fields: Fields, field: number): string =>
  Buffer.from(messages(fields, field)[0] ?? []).toString("hex");
const text = (fields: Fields, field: number): string =>
  Buffer.from(messages(fields, field)[0] ?? []).toString();

function attributesOf(fields: Fields, field: number): Record<string, string | number> {
  const found: Record<string, string | number> = {};
  for (const pair of messages(fields, field).map(fieldsOf)) {
    const [value] = [...fieldsOf(messages(pair, 2)[0]!).values()].flat();
    found[text(pair, 1)] = typeof value === "number" ? value : Buffer.from(value ?? []).toString();
  }
  return found;
}

/** Reads the spans of an ExportTraceServiceRequest (opentelemetry/proto/trace/v1/trace.proto). */
function spansOf(body: Uint8Array): Seen[] {
  return messages(fieldsOf(body), 1).flatMap((resource) => {
    const [of, scopes] = [fieldsOf(messages(fieldsOf(resource), 1)[0]!), messages(fieldsOf(resource), 2)];
    const server = attributesOf(of, 1);
    return scopes.flatMap((scope) =>
      messages(fieldsOf(scope), 2).map((span) => seen(fieldsOf(span), server)),
    );
  });
}

function seen(span: Fields, server: Seen["server"]): Seen {
  const status = messages(span, 15)[0];
  const failed = status !== undefined && fieldsOf(status).get(3)?.[0] === 2;
  return {
    name: text(span, 5),
    trace: hex(span, 1),
    id: hex(span, 2),
    parent: hex(span, 4),
    kind: span.get(6)?.[0] as number,
    facts: attributesOf(span, 9),
    failure: failed ? text(fieldsOf(status), 2) : undefined,
    server,
  };
}
