import type { Readable } from "node:stream";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { BodyPace } from "../body-pace.ts";
import { clientLeft, type RunningCall } from "../call.ts";
import type { HttpRequest } from "../connections/connections.ts";
import { tooLarge } from "../errors.ts";
import type { IncomingFile } from "../operation.ts";

export const UPLOAD_SETTING = "CTXDB_MAX_UPLOAD_BYTES";

const FIELD = "file";
/** Maximum number of parts in a form: the file and additional fields of clients. */
const MAX_PARTS = 32;
const MAX_FIELD_BYTES = 64 * 1024;
/** Bytes for boundaries and part headers around the file. */
const OVERHEAD_BYTES = 64 * 1024;

const inOtherField = (field: FieldName) =>
  invalidArgument(
    FIELD,
    `the form must have a file field named "${FIELD}"; it has one ${field ? `named ${JSON.stringify(field.slice(0, 100))}` : "without a name"}`,
  );

const onlyOne = () => invalidArgument(FIELD, "the form must contain only one file");

/** busboy passes undefined for a part without a name, contrary to its types. */
type FieldName = string | undefined;

/**
 * Receives the file of a multipart form in a field named `file`. Its stream ends only after the whole form
 * was read, so that a second file or a malformed form still fails the upload. Calls `otherField` with the
 * names of other fields. Rejects if there is no such file, or if the form arrives too slowly.
 */
export function receiveForm(
  request: HttpRequest,
  limit: number,
  call: Pick<RunningCall, "pace">,
  otherField: (name: string) => void,
): Promise<IncomingFile> {
  const declared = Number(request.headers["content-length"]);
  if (declared > limit + OVERHEAD_BYTES) return Promise.reject(tooLarge(FIELD, limit, UPLOAD_SETTING));
  return new Promise((resolve, reject) => {
    const form = openForm(request);
    let failure: ServiceError | undefined;
    let current: Readable | undefined;
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((done) => {
      finish = done;
    });
    const pace = new BodyPace(call.pace, (error) => fail(error));
    const fail = (error: ServiceError) => {
      pace.end();
      failure ??= error;
      current?.destroy(failure);
      finish();
      reject(failure);
    };
    form.on(
      "file",
      (field: FieldName, stream: Readable, name: string | undefined, _encoding: string, type: string) => {
        stream.on("error", () => undefined);
        if (field !== FIELD || current !== undefined) {
          stream.resume();
          return fail(field === FIELD ? onlyOne() : inOtherField(field));
        }
        current = stream;
        const bytes = whole(stream, limit, finished, () => failure);
        resolve({ name: name ?? "", contentType: type === "" ? undefined : type, bytes });
      },
    );
    form.on("field", (name: FieldName) => {
      if (name !== undefined) otherField(name);
    });
    form.on("partsLimit", () =>
      fail(invalidArgument(FIELD, `the form must have at most ${MAX_PARTS} parts`)),
    );
    form.on("error", () => fail(invalidArgument(FIELD, "the form is malformed or incomplete")));
    form.on("finish", () =>
      current === undefined
        ? fail(invalidArgument(FIELD, `the form must have a file field named "${FIELD}"`))
        : finish(),
    );
    request.on("close", () => !request.readableEnded && fail(clientLeft()));
    pace.wait();
    request.on("pause", () => pace.pause()).on("resume", () => pace.wait());
    request.on("data", ({ length }: Buffer) => pace.arrived(length)).on("end", () => pace.end());
    request.pipe(form);
  });
}

function openForm(request: HttpRequest): BusboyInstance {
  const type = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data/i.test(type))
    throw invalidArgument("Content-Type", "must be multipart/form-data");
  try {
    return new Busboy({
      headers: { ...request.headers, "content-type": type } as BusboyHeaders,
      limits: { parts: MAX_PARTS, fieldSize: MAX_FIELD_BYTES, headerPairs: 100 },
    });
  } catch {
    throw invalidArgument("Content-Type", "must have a boundary after multipart/form-data");
  }
}

async function* whole(
  stream: Readable,
  limit: number,
  finished: Promise<void>,
  failure: () => ServiceError | undefined,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    const chunks: AsyncIterable<Buffer> = stream;
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > limit) throw tooLarge(FIELD, limit, UPLOAD_SETTING);
      yield chunk;
    }
  } catch (error) {
    throw failure() ?? (error instanceof ServiceError ? error : clientLeft());
  }
  await finished;
  const failed = failure();
  if (failed) throw failed;
}
