import { Code, ConnectError, createRouterTransport, type ServiceImpl } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { Client } from "../src/client.ts";
import { CtxdbError } from "../src/errors.ts";
import { ChangeService } from "../src/gen/ctxdb/v1/change_pb.ts";
import { ContentService } from "../src/gen/ctxdb/v1/content_pb.ts";
import { ErrorDetailSchema } from "../src/gen/ctxdb/v1/error_pb.ts";
import { FilesystemService } from "../src/gen/ctxdb/v1/filesystem_pb.ts";
import { TaskService } from "../src/gen/ctxdb/v1/task_pb.ts";
import { type ConnectOptions, settingsOf } from "../src/options.ts";
import { streamingUploader } from "../src/upload.ts";

interface Served {
  readonly changes?: Partial<ServiceImpl<typeof ChangeService>>;
  readonly content?: Partial<ServiceImpl<typeof ContentService>>;
  readonly files?: Partial<ServiceImpl<typeof FilesystemService>>;
  readonly tasks?: Partial<ServiceImpl<typeof TaskService>>;
}

/** A client whose calls are answered within this process. */
function clientOf({ changes, content, files, tasks }: Served, options: ConnectOptions = {}): Client {
  const transport = createRouterTransport(({ service }) => {
    if (changes) service(ChangeService, changes);
    if (content) service(ContentService, content);
    if (files) service(FilesystemService, files);
    if (tasks) service(TaskService, tasks);
  });
  return new Client({ transport, uploader: streamingUploader, close: () => undefined }, settingsOf(options));
}

const unavailable = () => new ConnectError("stopping", Code.Unavailable);
const failure = (call: Promise<unknown>): Promise<CtxdbError> =>
  call.then(
    () => expect.unreachable("no error"),
    (thrown) => {
      expect(thrown).toBeInstanceOf(CtxdbError);
      return thrown as CtxdbError;
    },
  );

describe("repeating a call", () => {
  it("a read is retried until the server is reachable", async () => {
    let calls = 0;
    const client = clientOf({
      files: {
        statNode() {
          if (++calls < 3) throw unavailable();
          return { name: "a" };
        },
      },
    });
    expect(await client.fs.stat({ uri: "ctx://resources/a" })).toMatchObject({ name: "a" });
    expect(calls).toBe(3);
  });

  it("a failing read is given up after the allowed number of retries", async () => {
    let calls = 0;
    const client = clientOf(
      {
        files: {
          statNode() {
            calls++;
            throw unavailable();
          },
        },
      },
      { retries: 1 },
    );
    expect((await failure(client.fs.stat({ uri: "ctx://resources/a" }))).code).toBe("UNAVAILABLE");
    expect(calls).toBe(2);
  });

  it("a write without an idempotency key is never repeated", async () => {
    let calls = 0;
    const client = clientOf({
      files: {
        moveNode() {
          calls++;
          throw unavailable();
        },
      },
    });
    await failure(client.fs.mv({ fromUri: "ctx://resources/a", toUri: "ctx://resources/b" }));
    expect(calls).toBe(1);
  });

  it("a retried write sends the same idempotency key, and another write sends a new one", async () => {
    const keys: (string | undefined)[] = [];
    const client = clientOf({
      content: {
        writeContent({ idempotencyKey }) {
          if (keys.push(idempotencyKey) === 1) throw unavailable();
          return {};
        },
      },
    });
    const write = { uri: "ctx://resources/a", content: "x" };
    await client.content.write(write);
    await client.content.write(write);
    await client.content.write({ ...write, idempotencyKey: "mine" });
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(keys[3]).toBe("mine");
  });

  it("a write whose idempotency key is undefined is retried with a key, too", async () => {
    const keys: (string | undefined)[] = [];
    const client = clientOf({
      content: {
        writeContent({ idempotencyKey }) {
          if (keys.push(idempotencyKey) === 1) throw unavailable();
          return {};
        },
      },
    });
    const write = { uri: "ctx://resources/a", content: "x", mode: "append", idempotencyKey: undefined };
    await client.content.write(write);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  it("a call with a final error is not retried", async () => {
    let calls = 0;
    const client = clientOf({
      files: {
        statNode() {
          calls++;
          throw new ConnectError("no", Code.NotFound);
        },
      },
    });
    expect((await failure(client.fs.stat({ uri: "ctx://resources/a" }))).code).toBe("NOT_FOUND");
    expect(calls).toBe(1);
  });

  it("a client does not wait past its deadline when a server asks for a longer pause", async () => {
    let calls = 0;
    const client = clientOf(
      {
        files: {
          statNode() {
            calls++;
            throw new ConnectError("later", Code.Unavailable, { "retry-after": "3600" });
          },
        },
      },
      { deadlineSeconds: 5 },
    );
    expect((await failure(client.fs.stat({ uri: "ctx://resources/a" }))).code).toBe("UNAVAILABLE");
    expect(calls).toBe(1);
  });
});

describe("an error", () => {
  it("a client error carries the code of the specification, its details and the request id", async () => {
    const detail = { code: "SESSION_EXPIRED", message: "session expired: s", details: { session_id: "s" } };
    const client = clientOf({
      files: {
        statNode() {
          throw new ConnectError("x", Code.NotFound, { "x-request-id": "r1" }, [
            { desc: ErrorDetailSchema, value: detail },
          ]);
        },
      },
    });
    expect(await failure(client.fs.stat({ uri: "ctx://resources/a" }))).toMatchObject({
      ...detail,
      requestId: "r1",
    });
  });

  it("a call whose signal is aborted fails with CANCELLED", async () => {
    const client = clientOf({
      files: {
        statNode: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
      },
    });
    const cancel = new AbortController();
    const error = failure(client.fs.stat({ uri: "ctx://resources/a" }, { signal: cancel.signal }));
    cancel.abort();
    expect((await error).code).toBe("CANCELLED");
  });
});

describe("a list", () => {
  it("listAll reads one page at a time, and only as far as the caller iterates", async () => {
    const cursors: (string | undefined)[] = [];
    const client = clientOf({
      tasks: {
        listTasks({ cursor, limit }) {
          cursors.push(cursor);
          expect(limit).toBe(1);
          return { tasks: [{ taskId: `t${cursors.length}` }], nextCursor: `c${cursors.length}` };
        },
      },
    });
    const ids: string[] = [];
    for await (const { taskId } of client.tasks.listAll({ limit: 1 })) {
      ids.push(taskId);
      if (ids.length === 2) break;
    }
    expect(ids).toEqual(["t1", "t2"]);
    expect(cursors).toEqual([undefined, "c1"]);
  });

  it("listAll ends with an error when the server repeats a cursor", async () => {
    const client = clientOf({
      tasks: { listTasks: () => ({ tasks: [{ taskId: "t" }], nextCursor: "same" }) },
    });
    const all = async () => {
      for await (const task of client.tasks.listAll()) expect(task.taskId).toBe("t");
    };
    await expect(all()).rejects.toThrow("repeats the cursor");
  });
});

describe("waiting for a task", () => {
  it("waiting for a task reports progress, survives a broken stream, and throws the task's error", async () => {
    let streams = 0;
    const client = clientOf({
      tasks: {
        async *watchTask() {
          streams++;
          yield { status: "running", stage: "reading", progress: { done: streams, total: 2 } };
          if (streams === 1) throw unavailable();
          yield {
            status: "failed",
            stage: "failed",
            error: { code: "INVALID_ARGUMENT", message: "nothing to import", details: { field: "path" } },
          };
        },
      },
    });
    const seen: unknown[] = [];
    const error = await failure(
      client.tasks.wait({ taskId: "t" }, { onProgress: (progress) => seen.push(progress) }),
    );
    expect(error).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "nothing to import",
      details: { field: "path" },
    });
    expect(seen).toEqual([
      { stage: "reading", done: 1, total: 2 },
      { stage: "reading", done: 2, total: 2 },
      { stage: "failed", done: 0, total: 0 },
    ]);
  });
});

describe("a stream", () => {
  it("a stream is not opened again when the server asks for a pause past the deadline", async () => {
    let calls = 0;
    const refuse = () => {
      calls++;
      return new ConnectError("later", Code.Unavailable, { "retry-after": "3600" });
    };
    const client = clientOf({
      tasks: {
        // biome-ignore lint/correctness/useYield: the stream is refused before its first message
        async *watchTask() {
          throw refuse();
        },
      },
      changes: {
        // biome-ignore lint/correctness/useYield: the stream is refused before its first message
        async *watchChanges() {
          throw refuse();
        },
      },
    });
    const options = { deadlineSeconds: 60 };
    for (const stream of [client.tasks.watch({ taskId: "t" }, options), client.changes.watch({}, options)])
      expect(await failure(stream.next())).toMatchObject({ code: "UNAVAILABLE", retryAfter: 3600 });
    expect(calls).toBe(2);
  });

  it("leaving a stream early ends its call and clears its timers", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const before = timers();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const client = clientOf({
      tasks: {
        async *watchTask(_, { signal }) {
          signal.addEventListener("abort", () => end());
          yield { status: "running", stage: "reading" };
          await ended;
        },
      },
    });
    for await (const task of client.tasks.watch({ taskId: "t" })) {
      expect(task.stage).toBe("reading");
      break;
    }
    await ended;
    await new Promise((resolve) => setImmediate(resolve));
    expect(timers()).toBe(before);
  });
});
