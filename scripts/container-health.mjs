// Whether the server of this container is ready, as the exit status: HEALTHCHECK of the Dockerfile.
import { get as getPlain } from "node:http";
import { get as getSecure } from "node:https";

const TIMEOUT_MS = 4000;

const { CTXDB_PORT, CTXDB_TLS_CERT } = process.env;
const get = CTXDB_TLS_CERT ? getSecure : getPlain;
// the certificate is for the name by which others reach the server, not for this address
const request = get({
  host: "127.0.0.1",
  port: CTXDB_PORT || "1933",
  path: "/ready",
  timeout: TIMEOUT_MS,
  rejectUnauthorized: false,
});
request.on("response", ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1));
request.on("timeout", () => process.exit(1));
request.on("error", () => process.exit(1));
