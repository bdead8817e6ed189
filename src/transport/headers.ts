import type { ServiceError } from "../domain/errors.ts";
import { type HttpRequest, reportIdentified } from "./connections/connections.ts";
import { hopOf } from "./forward/hop.ts";
import type { HeaderView } from "./identity.ts";

const REFUSALS = new WeakMap<HttpRequest, ServiceError>();

/** Makes the call of a request fail before authentication, in the format of its protocol. */
export function refuseLater(request: HttpRequest, error: ServiceError): void {
  REFUSALS.set(request, error);
}

/** The headers of a Node request over HTTP/1.1 or HTTP/2. */
export function headersOf(request: HttpRequest): HeaderView {
  const { headers } = request;
  const hop = hopOf(request);
  const refusal = REFUSALS.get(request);
  return {
    peer: hop ? hop.peer : request.socket.remoteAddress,
    ...(hop?.kind === "account" && { isAudited: true }),
    ...(refusal && { refusal }),
    identified: (caller) => hop ?? reportIdentified(request, caller),
    get(name) {
      const value = headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
  };
}

/** Content hashes in an If-Match or If-None-Match header. */
export const entityTags = (header: string): string[] =>
  header.split(",").map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, "$1"));
