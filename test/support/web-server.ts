import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** The answer to a path: a text, or a full response. */
export type WebPage = string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface WebServer {
  readonly base: string;
  readonly pages: Map<string, WebPage>;
  readonly requests: string[];
  close(): Promise<void>;
}

/**
 * A loopback server with pages set by the test and the bare git repositories of a folder, served over git's
 * HTTP protocol.
 */
export async function serveWeb(repositories?: string): Promise<WebServer> {
  const pages = new Map<string, WebPage>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url!.split("?")[0]!;
    requests.push(path);
    if (repositories !== undefined && path.includes(".git/"))
      return void git(repositories, request, response).catch(() => response.destroy());
    const page = pages.get(path);
    if (typeof page === "function") return page(request, response);
    const type = path.endsWith(".html") ? "text/html" : "text/markdown";
    response.writeHead(page === undefined ? 404 : 200, { "content-type": type });
    response.end(page ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function git(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path, query = ""] = request.url!.split("?");
  const body = await buffer(request);
  const { headers } = request;
  const env = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: "1",
    REQUEST_METHOD: request.method!,
    PATH_INFO: path!,
    QUERY_STRING: query,
    CONTENT_TYPE: headers["content-type"] ?? "",
    CONTENT_LENGTH: String(body.length),
    HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
    GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
    REMOTE_ADDR: "127.0.0.1",
  };
  const child = spawn("git", ["-c", "safe.directory=*", "http-backend"], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  // it may end before reading the whole request if its client has disconnected
  child.stdin.on("error", () => undefined).end(body);
  const out = await buffer(child.stdout);
  const end = out.indexOf("\r\n\r\n");
  const lines = out
    .subarray(0, end)
    .toString()
    .split("\r\n")
    .map((line) => line.split(": ") as [string, string]);
  const status = lines.find(([name]) => name === "Status")?.[1];
  response.writeHead(
    Number.parseInt(status ?? "200", 10),
    Object.fromEntries(lines.filter(([name]) => name !== "Status")),
  );
  response.end(out.subarray(end + 4));
}
