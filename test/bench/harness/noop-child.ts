/**
 * A minimal server for comparison: it only answers, with `node:http` (`http`) or with a unary call of
 * connect-node (`connect`). Prints its port.
 */
import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { SystemService } from "../../../gen/ctxdb/v1/system_pb.ts";

const BODY = JSON.stringify({ status: "ok", result: { initialized: true }, time: 0.000_01 });

const httpNoop = () =>
  createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": BODY.length });
    response.end(BODY);
  });

const connectNoop = () =>
  createHttp2Server(
    connectNodeAdapter({
      routes: (router) =>
        router.service(SystemService, { getStatus: () => ({ initialized: true, version: "0" }) }),
    }),
  );

const server = process.argv[2] === "connect" ? connectNoop() : httpNoop();
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
