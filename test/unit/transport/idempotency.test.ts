import { create, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { WriteContentRequestSchema, WriteFilesRequestSchema } from "../../../gen/ctxdb/v1/content_pb.ts";
import { atOnce } from "../../../src/base/event-loop.ts";
import { jsonSteps } from "../../../src/transport/pipeline/idempotency.ts";

describe("the JSON by which a repeated request is known", () => {
  it("the JSON that identifies a request is the library's JSON without the idempotency key", () => {
    const one = create(WriteContentRequestSchema, {
      uri: "ctx://a",
      content: "ü\ud800",
      idempotencyKey: "k",
    });
    const files = Array.from({ length: 3 }, (_, i) => ({
      uri: `ctx://${i}`,
      content: `${i}`,
      mode: "create",
    }));
    const many = create(WriteFilesRequestSchema, { files, wait: true, timeout: 2, idempotencyKey: "k" });
    const none = create(WriteFilesRequestSchema, { wait: true });
    expect(atOnce(jsonSteps(WriteContentRequestSchema, one)).toString()).toBe(
      JSON.stringify(toJson(WriteContentRequestSchema, { ...one, idempotencyKey: undefined })),
    );
    for (const request of [many, none])
      expect(atOnce(jsonSteps(WriteFilesRequestSchema, request)).toString()).toBe(
        JSON.stringify(toJson(WriteFilesRequestSchema, { ...request, idempotencyKey: undefined })),
      );
  });

  it("the JSON that identifies a request with many items is made in one step for each item", () => {
    const files = Array.from({ length: 200 }, (_, i) => ({
      uri: `ctx://${i}`,
      content: "x",
      mode: "create",
    }));
    const steps = jsonSteps(WriteFilesRequestSchema, create(WriteFilesRequestSchema, { files }));
    expect([...steps].length).toBeGreaterThanOrEqual(files.length);
  });
});
