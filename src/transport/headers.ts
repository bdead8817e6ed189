import { type HttpRequest, reportIdentified } from "./connections/connections.ts";
import type { HeaderView } from "./identity.ts";

/** The headers of a Node request over HTTP/1.1 or HTTP/2. */
export function headersOf(request: HttpRequest): HeaderView {
  const { headers } = request;
  return {
    peer: request.socket.remoteAddress,
    identified: (caller) => reportIdentified(request, caller),
    get(name) {
      const value = headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
  };
}

/** Content hashes in an If-Match or If-None-Match header. */
export const entityTags = (header: string): string[] =>
  header.split(",").map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, "$1"));
