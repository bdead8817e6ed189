import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ErrorDetailSchema } from "../../gen/ctxdb/v1/error_pb.ts";
import { type Task, TaskService } from "../../gen/ctxdb/v1/task_pb.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** More files than are imported before the answer. */
const FILES = 240;

const WIRES: readonly (readonly [string, (baseUrl: string) => Transport])[] = [
  ["gRPC", (baseUrl) => createGrpcTransport({ baseUrl })],
  ["Connect over HTTP/1.1", (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" })],
  ["Connect over HTTP/2", (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "2" })],
  ["gRPC-Web", (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })],
];

describe.each(WIRES)("TaskService.WatchTask over %s", (_, transportOf) => {
  let served: Served;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const headers = { "x-api-key": ROOT_KEY };
  const client = () => createClient(TaskService, transportOf(`http://127.0.0.1:${served.port}`));
  const begin = async (to: string): Promise<string> => {
    const { result } = await served.rest(ROOT_KEY, "POST resources", {
      path: join(folder.path, "many"),
      to: `ctx://resources/${to}`,
    });
    return (result as { task_id: string }).task_id;
  };
  const codeOf = (error: unknown) =>
    ConnectError.from(error).findDetails(ErrorDetailSchema)[0]?.code ?? Code[ConnectError.from(error).code];
  /** Reads the first state and then disconnects. */
  const firstOf = async (taskId: string, options: object): Promise<Task> => {
    const leave = new AbortController();
    const tasks = client()
      .watchTask({ taskId }, { ...options, signal: leave.signal })
      [Symbol.asyncIterator]();
    const { value } = await tasks.next();
    leave.abort();
    await tasks.next().catch(() => undefined);
    return value;
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder.path, "many"));
    for (let i = 0; i < FILES; i++)
      await writeFile(join(folder.path, "many", `f${i}.md`), `# F${i}\n\nabout number ${i}`);
    served = await serve({ CTXDB_LOCAL_PATHS: folder.path });
  });
  afterAll(async () => {
    await served.close();
    await folder.remove();
  });

  it("WatchTask streams the states of an import until its end", async () => {
    const seen: Task[] = [];
    for await (const task of client().watchTask({ taskId: await begin("told") }, { headers }))
      seen.push(task);
    expect(seen.at(-1)).toMatchObject({
      status: "completed",
      stage: "done",
      progress: { done: FILES, total: FILES },
    });
    expect(seen.slice(0, -1).every(({ status }) => status === "pending" || status === "running")).toBe(true);
    const order = ["queued", "reading", "layers", "done"];
    const stages = seen.map(({ stage }) => order.indexOf(stage));
    expect(stages).toEqual([...stages].sort((a, b) => a - b));
    const read = seen.filter(({ stage }) => stage === "reading").map(({ progress }) => progress!.done);
    expect(read.length).toBeGreaterThan(1);
    expect(read).toEqual([...read].sort((a, b) => a - b));
    const summarized = seen.filter(({ stage }) => stage === "layers").map(({ progress }) => progress!.done);
    expect(summarized).toEqual([...summarized].sort((a, b) => a - b));
    expect(Math.max(...summarized)).toBeLessThan(FILES);
  });

  it("CancelTask ends an import, and WatchTask sends its last state", async () => {
    const taskId = await begin("cancelled");
    const seen = (async () => {
      const states: Task[] = [];
      for await (const task of client().watchTask({ taskId }, { headers })) states.push(task);
      return states;
    })();
    const cancelled = await client().cancelTask({ taskId }, { headers });
    expect(cancelled).toMatchObject({ taskId, status: "cancelled", stage: "cancelled" });
    expect((await seen).at(-1)).toEqual(cancelled);
    expect(await client().cancelTask({ taskId }, { headers })).toEqual(cancelled);
    expect((await served.rest(ROOT_KEY, "GET fs/stat?uri=ctx://resources/cancelled")).error?.code).toBe(
      "NOT_FOUND",
    );
  });

  it("CancelTask refuses unknown tasks and those of other users, and requires a key", async () => {
    const taskId = await begin("kept");
    const asked = (id: string, options: object) => client().cancelTask({ taskId: id }, options).catch(codeOf);
    await expect(asked(taskId, { headers: { ...headers, "x-ctx-user": "ben" } })).resolves.toBe("NOT_FOUND");
    await expect(asked("none", { headers })).resolves.toBe("NOT_FOUND");
    await expect(asked("a/b", { headers })).resolves.toBe("NOT_FOUND");
    await expect(asked("", { headers })).resolves.toBe("INVALID_ARGUMENT");
    await expect(asked(taskId, {})).resolves.toBe("UNAUTHENTICATED");
    for await (const { status } of client().watchTask({ taskId }, { headers })) expect(status).toBeTruthy();
    await expect(asked(taskId, { headers })).resolves.toBe("FAILED_PRECONDITION");
  });

  it("WatchTask of a finished task sends its last state once", async () => {
    const request = { taskId: await begin("ended") };
    for await (const { status } of client().watchTask(request, { headers })) expect(status).toBeTruthy();
    const seen: Task[] = [];
    for await (const task of client().watchTask(request, { headers })) seen.push(task);
    expect(seen.map(({ status }) => status)).toEqual(["completed"]);
  });

  it("WatchTask frees its slot when the client leaves", async () => {
    const taskId = await begin("left");
    // all slots are free again
    for (let i = 0; i < 40; i++) expect((await firstOf(taskId, { headers })).taskId).toBe(taskId);
  });

  it("WatchTask shows a task only to its own user", async () => {
    const taskId = await begin("own");
    await expect(
      firstOf(taskId, { headers: { ...headers, "x-ctx-user": "ben" } }).catch(codeOf),
    ).resolves.toBe("NOT_FOUND");
    await expect(
      firstOf(taskId, { headers: { ...headers, "x-ctx-account": "other" } }).catch(codeOf),
    ).resolves.toBe("NOT_FOUND");
    await expect(firstOf("none", { headers }).catch(codeOf)).resolves.toBe("NOT_FOUND");
    await expect(firstOf("", { headers }).catch(codeOf)).resolves.toBe("INVALID_ARGUMENT");
    await expect(firstOf(taskId, {}).catch(codeOf)).resolves.toBe("UNAUTHENTICATED");
    expect((await firstOf(taskId, { headers })).taskId).toBe(taskId);
  });
});
